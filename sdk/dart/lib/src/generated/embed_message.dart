// Generated from the contract by `npm run generate`: do not edit it here.

import '../json_reader.dart';

/// The version of the protocol that this package speaks.
const embedProtocol = 1;

/// What the hosted page says to the app around it.
sealed class EmbedMessage {
  const EmbedMessage();

  /// Null for a type that came after this version.
  static EmbedMessage? fromJson(Map<String, Object?> json) => switch (json['type']) {
    'ready' => EmbedReady.fromJson(json),
    'status' => EmbedStatus.fromJson(json),
    'openExternal' => EmbedOpenExternal.fromJson(json),
    'done' => EmbedDone.fromJson(json),
    'error' => EmbedError.fromJson(json),
    _ => null,
  };

  int get florin;
  String get nonce;
  Map<String, Object?> toJson();
}

final class EmbedReady extends EmbedMessage {
  const EmbedReady({
    required this.florin,
    required this.nonce,
    required this.page,
  });

  factory EmbedReady.fromJson(Map<String, Object?> json) => EmbedReady(
    florin: readInteger(json, 'florin'),
    nonce: readText(json, 'nonce'),
    page: readText(json, 'page'),
  );

  /// The version of the protocol.
  @override
  final int florin;

  /// What the app put behind the # of the first address.
  @override
  final String nonce;

  /// Which page is shown, such as CHOOSE_BANK.
  final String page;

  @override
  Map<String, Object?> toJson() => {
    'florin': florin,
    'nonce': nonce,
    'type': 'ready',
    'page': page,
  };
}

final class EmbedStatus extends EmbedMessage {
  const EmbedStatus({
    required this.florin,
    required this.nonce,
    required this.status,
    this.paymentIdempotencyId,
  });

  factory EmbedStatus.fromJson(Map<String, Object?> json) => EmbedStatus(
    florin: readInteger(json, 'florin'),
    nonce: readText(json, 'nonce'),
    status: readText(json, 'status'),
    paymentIdempotencyId: readTextOrNull(json, 'paymentIdempotencyId'),
  );

  /// The version of the protocol.
  @override
  final int florin;

  /// What the app put behind the # of the first address.
  @override
  final String nonce;

  final String status;

  /// Of the payment that the page is about; null before one.
  final String? paymentIdempotencyId;

  @override
  Map<String, Object?> toJson() => {
    'florin': florin,
    'nonce': nonce,
    'type': 'status',
    'status': status,
    'paymentIdempotencyId': paymentIdempotencyId,
  };
}

final class EmbedOpenExternal extends EmbedMessage {
  const EmbedOpenExternal({
    required this.florin,
    required this.nonce,
    required this.url,
  });

  factory EmbedOpenExternal.fromJson(Map<String, Object?> json) => EmbedOpenExternal(
    florin: readInteger(json, 'florin'),
    nonce: readText(json, 'nonce'),
    url: readText(json, 'url'),
  );

  /// The version of the protocol.
  @override
  final int florin;

  /// What the app put behind the # of the first address.
  @override
  final String nonce;

  final String url;

  @override
  Map<String, Object?> toJson() => {
    'florin': florin,
    'nonce': nonce,
    'type': 'openExternal',
    'url': url,
  };
}

final class EmbedDone extends EmbedMessage {
  const EmbedDone({
    required this.florin,
    required this.nonce,
    required this.status,
    this.paymentIdempotencyId,
  });

  factory EmbedDone.fromJson(Map<String, Object?> json) => EmbedDone(
    florin: readInteger(json, 'florin'),
    nonce: readText(json, 'nonce'),
    status: readText(json, 'status'),
    paymentIdempotencyId: readTextOrNull(json, 'paymentIdempotencyId'),
  );

  /// The version of the protocol.
  @override
  final int florin;

  /// What the app put behind the # of the first address.
  @override
  final String nonce;

  final String status;

  /// Of the payment that the page is about; null before one.
  final String? paymentIdempotencyId;

  @override
  Map<String, Object?> toJson() => {
    'florin': florin,
    'nonce': nonce,
    'type': 'done',
    'status': status,
    'paymentIdempotencyId': paymentIdempotencyId,
  };
}

final class EmbedError extends EmbedMessage {
  const EmbedError({
    required this.florin,
    required this.nonce,
    required this.code,
    required this.message,
  });

  factory EmbedError.fromJson(Map<String, Object?> json) => EmbedError(
    florin: readInteger(json, 'florin'),
    nonce: readText(json, 'nonce'),
    code: readText(json, 'code'),
    message: readText(json, 'message'),
  );

  /// The version of the protocol.
  @override
  final int florin;

  /// What the app put behind the # of the first address.
  @override
  final String nonce;

  /// The page of the error, such as NOT_FOUND.
  final String code;

  /// For the developer: its heading.
  final String message;

  @override
  Map<String, Object?> toJson() => {
    'florin': florin,
    'nonce': nonce,
    'type': 'error',
    'code': code,
    'message': message,
  };
}
