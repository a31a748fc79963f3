/// A member of an answer is not what the contract says.
final class UnexpectedJson implements FormatException {
  const UnexpectedJson(this.member, this.found);

  final String member;
  final Object? found;

  @override
  String get message => '$member is ${found.runtimeType}';
  @override
  int? get offset => null;
  @override
  Object? get source => found;
  @override
  String toString() => 'UnexpectedJson: $message';
}

String readText(Map<String, Object?> json, String name) =>
    readTextOrNull(json, name) ?? (throw UnexpectedJson(name, null));

String? readTextOrNull(Map<String, Object?> json, String name) => switch (json[name]) {
  null => null,
  final String text => text,
  final num number => '$number',
  final other => throw UnexpectedJson(name, other),
};

/// Amounts also come as text. What is missing is nothing.
double readNumber(Map<String, Object?> json, String name) => switch (json[name]) {
  null => 0,
  final num number => number.toDouble(),
  final String text => double.tryParse(text) ?? (throw UnexpectedJson(name, text)),
  final other => throw UnexpectedJson(name, other),
};

int readInteger(Map<String, Object?> json, String name) => readNumber(json, name).round();

Map<String, String> readTexts(Map<String, Object?> json, String name) => switch (json[name]) {
  null => const {},
  final Map<String, Object?> texts => {
    for (final MapEntry(:key, :value) in texts.entries)
      if (value != null) key: '$value',
  },
  final other => throw UnexpectedJson(name, other),
};

T readObject<T>(Map<String, Object?> json, String name, T Function(Map<String, Object?>) read) =>
    readObjectOrNull(json, name, read) ?? (throw UnexpectedJson(name, null));

T? readObjectOrNull<T>(
  Map<String, Object?> json,
  String name,
  T Function(Map<String, Object?>) read,
) => switch (json[name]) {
  null => null,
  final Map<String, Object?> object => read(object),
  final other => throw UnexpectedJson(name, other),
};

List<T> readList<T>(
  Map<String, Object?> json,
  String name,
  T Function(Map<String, Object?>) read,
) => switch (json[name]) {
  null => const [],
  final List<Object?> items => [
    for (final item in items)
      if (item is Map<String, Object?>) read(item) else throw UnexpectedJson(name, item),
  ],
  final other => throw UnexpectedJson(name, other),
};
