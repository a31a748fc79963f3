import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'customer_details.dart';
import 'env.dart';
import 'generated/transaction_details.dart';
import 'json_reader.dart';
import 'pay_exception.dart';

/// What is known of a request before its page is opened.
final class RequestDetails {
  const RequestDetails({required this.lastBankId});

  /// The bank that this customer used last, when the typed details are theirs.
  final String? lastBankId;
}

/// The server asked for fewer calls, or could not answer now.
final class TryLater implements Exception {
  const TryLater(this.after);

  /// Null: it did not say.
  final Duration? after;
}

/// The two operations that need no secret.
final class FlorinServer {
  FlorinServer(this.address, {this.timeout = const Duration(seconds: 20), HttpClient? client})
    : _client = client ?? HttpClient() {
    if (!isAllowed(address)) {
      throw ArgumentError.value(address, 'address', 'must be https, or http on this machine');
    }
    _client.connectionTimeout = timeout;
  }

  /// https, and http only to this machine: a test server, which Android's emulator sees as 10.0.2.2.
  static bool isAllowed(Uri address) =>
      address.host.isNotEmpty &&
      (address.scheme == 'https' || (address.scheme == 'http' && _thisMachine.contains(address.host)));

  static const _thisMachine = {'127.0.0.1', 'localhost', '10.0.2.2'};
  static const _maxBytes = 1 << 20;

  final Uri address;
  final Duration timeout;
  final HttpClient _client;
  bool _isClosed = false;

  /// Throws a [PayException] when nothing can be paid.
  Future<RequestDetails> describe(String paymentId, Env env, CustomerDetails? customer) async {
    final body = {
      'data': paymentId,
      if (customer != null && !customer.isEmpty) 'customerDetails': customer.toJson(),
    };
    final (status, json) = await _send('POST', 'api/payments/get-payment-details', env, body: body);
    if (status != HttpStatus.ok) throw await _explain(status, json, paymentId, env);
    if (json['env'] != env.wire) {
      throw PayException(
        PayErrorType.wrongEnvironment,
        'This payment request belongs to ${json['env']}, not to ${env.wire}.',
      );
    }
    final lastBank = json['lastPaymentBankDetails'];
    return RequestDetails(
      lastBankId: lastBank is Map<String, Object?> ? readTextOrNull(lastBank, 'institutionId') : null,
    );
  }

  /// Of one payment, or of its request as long as none is known.
  Future<TransactionDetails> readStatus(
    String paymentId,
    Env env, {
    String? paymentIdempotencyId,
  }) async {
    final (status, json) = await _send(
      'GET',
      'api/payments/payment-status/${paymentIdempotencyId ?? paymentId}',
      env,
      query: {'type': paymentIdempotencyId == null ? 'request' : 'payment'},
    );
    if (status == HttpStatus.notFound) throw _notFound;
    if (status != HttpStatus.ok) throw _serverFailure(status, json);
    final details = _decode(() => TransactionDetails.fromJson(json));
    if (details.paymentRequestId != paymentId) {
      throw const PayException(PayErrorType.server, 'The payment belongs to another request.');
    }
    return details;
  }

  /// Ends every payment that is followed with it.
  void close() {
    _isClosed = true;
    _client.close(force: true);
  }

  Future<PayException> _explain(int status, Map<String, Object?> json, String id, Env env) async {
    final message = readTextOrNull(json, 'message') ?? 'The server answered $status.';
    PayException of(PayErrorType type) => PayException(
      type,
      message,
      amount: json['amount'] == null ? null : readNumber(json, 'amount'),
      referenceId: readTextOrNull(json, 'referenceId'),
      time: readTextOrNull(json, 'time'),
    );
    return switch (json['name']) {
      'NOT_FOUND' => _notFound,
      'REQUEST_TIMEOUT' => of(PayErrorType.expired),
      'MERCHANT_SUSPENDED' => of(PayErrorType.suspended),
      'BAD_REQUEST' => of(PayErrorType.invalidInput),
      'INVALID_STATE' => of(await _whyOver(id, env)),
      _ => _serverFailure(status, json),
    };
  }

  /// The name is the same for paid and cancelled: the status tells them apart.
  Future<PayErrorType> _whyOver(String id, Env env) async {
    final details = await readStatus(id, env);
    if (details.isCompleted) return PayErrorType.alreadyPaid;
    return details.isExpired ? PayErrorType.expired : PayErrorType.cancelled;
  }

  static const _notFound = PayException(
    PayErrorType.notFound,
    'There is no payment request with this id.',
  );

  PayException _networkFailure(String message) => PayException(PayErrorType.network, message);

  PayException _serverFailure(int status, Map<String, Object?> json) =>
      PayException(PayErrorType.server, 'The server answered $status: ${json['message'] ?? ''}');

  T _decode<T>(T Function() decode) {
    try {
      return decode();
    } on FormatException catch (error) {
      throw PayException(PayErrorType.server, 'The answer could not be read: ${error.message}');
    }
  }

  Future<(int, Map<String, Object?>)> _send(
    String method,
    String path,
    Env env, {
    Map<String, String> query = const {},
    Map<String, Object?>? body,
  }) async {
    final uri = address.resolve('/$path').replace(queryParameters: {...query, 'env': env.name});
    try {
      return await _exchange(method, uri, body).timeout(timeout);
    } catch (error) {
      // What a closed client throws, and whether it does, depends on how far the call was.
      if (_isClosed) throw const PayException(PayErrorType.closed, 'The client was closed.');
      if (error is TimeoutException) throw _networkFailure('The server did not answer in time.');
      if (error is IOException) throw _networkFailure('The server could not be reached: $error');
      rethrow;
    }
  }

  Future<(int, Map<String, Object?>)> _exchange(
    String method,
    Uri uri,
    Map<String, Object?>? body,
  ) async {
    final request = await _client.openUrl(method, uri);
    request.followRedirects = false;
    request.headers.set(HttpHeaders.acceptHeader, 'application/json');
    if (body != null) {
      request.headers.contentType = ContentType.json;
      request.add(utf8.encode(jsonEncode(body)));
    }
    final response = await request.close();
    final bytes = <int>[];
    await for (final part in response) {
      bytes.addAll(part);
      if (bytes.length > _maxBytes) {
        throw const PayException(PayErrorType.server, 'The answer is too long.');
      }
    }
    final status = response.statusCode;
    if (status == HttpStatus.tooManyRequests || status >= HttpStatus.internalServerError) {
      final seconds = int.tryParse(response.headers.value(HttpHeaders.retryAfterHeader) ?? '');
      throw TryLater(seconds == null ? null : Duration(seconds: seconds));
    }
    final json = _decode(() => jsonDecode(utf8.decode(bytes)));
    if (json is! Map<String, Object?>) {
      throw const PayException(PayErrorType.server, 'The answer is not an object.');
    }
    return (status, json);
  }
}
