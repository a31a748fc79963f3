import 'dart:async';

final class _Case {
  const _Case(this.name, this.run);
  final String name;
  final FutureOr<void> Function() run;
}

final _cases = <_Case>[];

void test(String name, FutureOr<void> Function() run) => _cases.add(_Case(name, run));

final class _Mismatch implements Exception {
  const _Mismatch(this.says);
  final String says;
  @override
  String toString() => says;
}

void expect(Object? found, Object? wanted, [String about = '']) {
  if (!_equals(found, wanted)) throw _Mismatch('$about found $found, wanted $wanted');
}

T expectThrows<T extends Object>(void Function() run) {
  try {
    run();
  } on T catch (error) {
    return error;
  }
  throw _Mismatch('nothing of $T was thrown');
}

Future<T> expectFailure<T extends Object>(Future<Object?> result) async {
  try {
    await result;
  } on T catch (error) {
    return error;
  }
  throw _Mismatch('nothing of $T was thrown');
}

/// Waits for a state, never for a time.
Future<void> until(bool Function() holds, [String what = 'the state']) async {
  final clock = Stopwatch()..start();
  while (!holds()) {
    if (clock.elapsed > const Duration(seconds: 20)) throw _Mismatch('$what never came');
    await Future<void>.delayed(const Duration(milliseconds: 2));
  }
}

bool _equals(Object? one, Object? other) => switch ((one, other)) {
  (final List<Object?> a, final List<Object?> b) =>
    a.length == b.length && [for (var at = 0; at < a.length; at += 1) _equals(a[at], b[at])].every(_isTrue),
  (final Map<Object?, Object?> a, final Map<Object?, Object?> b) =>
    a.length == b.length && a.keys.every((key) => b.containsKey(key) && _equals(a[key], b[key])),
  _ => one == other,
};

bool _isTrue(bool each) => each;

/// Answers how many failed.
Future<int> runTests() async {
  var failed = 0;
  for (final each in _cases) {
    try {
      await Future.sync(each.run).timeout(const Duration(seconds: 40));
      print('ok ${each.name}');
    } catch (error, stack) {
      failed += 1;
      print('FAILED ${each.name}: $error\n$stack');
    }
  }
  print('${_cases.length - failed} passed, $failed failed');
  return failed;
}
