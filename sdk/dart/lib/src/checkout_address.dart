import 'generated/embed_message.dart';

/// The address of the hosted page for one session. What is behind the `#` never reaches the server.
Uri checkoutAddress(
  Uri server, {
  required String paymentId,
  required bool showHowPaymentWorks,
  required String nonce,
  String? lastBankId,
  String? locale,
}) => server.resolve('/pay').replace(
  queryParameters: {
    'paymentRequestId': paymentId,
    'source': 'EXTERNAL_MERCHANT',
    'embed': 'sdk',
    if (showHowPaymentWorks) 'intro': '1',
    if (lastBankId != null) 'selectedBank': lastBankId,
    if (locale != null) 'locale': locale,
  },
  fragment: 'florin=$embedProtocol.$nonce',
);

/// The same scheme, host and port.
bool isSameOrigin(Uri one, Uri other) =>
    one.scheme == other.scheme && one.host == other.host && one.port == other.port;
