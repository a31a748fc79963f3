/// What the address of a merchant's `redirectUrl` carries when a payer comes back, as the app's link
/// handler gets it. Anyone can open such an address: the merchant's server reads the status, or checks
/// the signature, before anything is handed over.
final class MerchantRedirect {
  const MerchantRedirect._({
    required this.idempotency,
    required this.redirectUrl,
    required this.amount,
    required this.paymentRequestId,
    required this.orderId,
    required this.status,
    required this.signature,
    required this.signatureHash,
    required this.redirectUrlParams,
  });

  /// Null for a link that is not the way back from a payment of this SDK.
  static MerchantRedirect? tryParse(Uri link) {
    final Map<String, String> given;
    try {
      given = link.queryParameters;
    } on FormatException {
      return null;
    }
    final idempotency = given['idempotency'] ?? given['paymentIdempotencyId'];
    final redirectUrl = Uri.tryParse(given['redirectUrl'] ?? '');
    final amount = double.tryParse(given['amount'] ?? '');
    if (idempotency == null || !_id.hasMatch(idempotency)) return null;
    if (redirectUrl == null || redirectUrl.scheme.isEmpty) return null;
    if (amount == null || !amount.isFinite || amount < 0) return null;
    if (!_isAt(link, redirectUrl)) return null;
    return MerchantRedirect._(
      idempotency: idempotency,
      redirectUrl: redirectUrl,
      amount: amount,
      paymentRequestId: given['paymentRequestId'],
      orderId: given['orderId'],
      status: given['status'],
      signature: given['signature'],
      signatureHash: given['signatureHash'],
      redirectUrlParams: {
        for (final MapEntry(:key, :value) in given.entries)
          if (!_ownNames.contains(key) && !redirectUrl.queryParameters.containsKey(key)) key: value,
      },
    );
  }

  /// The paymentIdempotencyId.
  final String idempotency;

  /// As the merchant gave it with the request.
  final Uri redirectUrl;

  /// Paid, in pounds.
  final double amount;
  final String? paymentRequestId;
  final String? orderId;
  final String? status;
  final String? signature;
  final String? signatureHash;

  /// The `callbackParams` of the request.
  final Map<String, String> redirectUrlParams;
}

/// An app's scheme has no path of the web: scheme, host and path are compared as they are.
bool _isAt(Uri link, Uri redirectUrl) =>
    link.scheme == redirectUrl.scheme &&
    link.authority == redirectUrl.authority &&
    _path(link) == _path(redirectUrl);

String _path(Uri address) => address.path == '' ? '/' : address.path;

final _id = RegExp(r'^[0-9A-Za-z]{10,40}$');

const _ownNames = {
  'orderId', 'paymentRequestId', 'paymentIdempotencyId', 'status', //
  'signature', 'signatureHash', 'atoaSignature', 'atoaSignatureHash',
  'florinAmount', 'florinTime', 'florinSignature', 'idempotency', 'redirectUrl', 'amount',
};
