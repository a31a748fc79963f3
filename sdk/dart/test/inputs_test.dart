import 'dart:convert';

import 'package:florin_core/florin_core.dart';

import 'support/check.dart';

void inputTests() {
  test('customer details: what is wrong is named', () {
    for (final (details, problem) in [
      (const CustomerDetails(), null),
      (const CustomerDetails(phoneCountryCode: '44', phoneNumber: '7700900123'), null),
      (const CustomerDetails(email: 'ada@example.com'), null),
      (const CustomerDetails(phoneCountryCode: '+44'), 'phoneCountryCode'),
      (const CustomerDetails(phoneCountryCode: '123456'), 'phoneCountryCode'),
      (const CustomerDetails(phoneNumber: '0770 0900'), 'phoneNumber'),
      (CustomerDetails(phoneNumber: '7' * 16), 'phoneNumber'),
      (const CustomerDetails(email: 'ada'), 'email'),
    ]) {
      expect(details.problem?.split(' ').first, problem);
    }
    expect(const CustomerDetails(email: '').isEmpty, true);
    expect(const CustomerDetails(phoneNumber: '7').toJson(), {'phoneNumber': '7'});
  });

  const nonce = '0123456789abcdef0123456789abcdef';
  String text(Map<String, Object?> more) =>
      jsonEncode({'florin': 1, 'nonce': nonce, 'type': 'ready', 'page': 'REVIEW', ...more});

  test('a message of the page is read', () {
    final reading = readBridge(text({}), nonce: nonce) as BridgeMessage;
    final ready = reading.message as EmbedReady;
    expect((ready.page, ready.florin, ready.nonce), ('REVIEW', 1, nonce));
  });

  test('noise is ignored: another nonce, another type, no JSON, no version, a long text', () {
    for (final noise in [
      text({'nonce': 'f' * 32}),
      text({'type': 'dance'}),
      text({'type': null}),
      text({'page': null}),
      text({'florin': 'one'}),
      '[]',
      '{',
      '',
      text({'page': 'x' * 20000}),
    ]) {
      expect(readBridge(noise, nonce: nonce).runtimeType, BridgeNoise);
    }
  });

  test('another version of the protocol is told apart from noise', () {
    final reading = readBridge(text({'florin': 2}), nonce: nonce) as BridgeMismatch;
    expect(reading.version, 2);
  });

  test('no nonce comes twice', () {
    final made = {for (var at = 0; at < 200; at += 1) newNonce()};
    expect(made.length, 200);
    expect(made.every(RegExp(r'^[0-9a-f]{32}$').hasMatch), true);
  });

  test('the address of the page: the nonce is behind the # only', () {
    final address = checkoutAddress(
      Uri.parse('https://pay.example:8443'),
      paymentId: 'id',
      showHowPaymentWorks: true,
      nonce: nonce,
      lastBankId: 'monzo',
      locale: 'cy',
    );
    expect(address.origin, 'https://pay.example:8443');
    expect(address.queryParameters, {
      'paymentRequestId': 'id',
      'source': 'EXTERNAL_MERCHANT',
      'embed': 'sdk',
      'intro': '1',
      'selectedBank': 'monzo',
      'locale': 'cy',
    });
    expect(address.fragment, 'florin=1.$nonce');
    final plain = checkoutAddress(
      Uri.parse('https://pay.example'),
      paymentId: 'id',
      showHowPaymentWorks: false,
      nonce: nonce,
    );
    expect(plain.queryParameters.keys.toList(), ['paymentRequestId', 'source', 'embed']);
  });

  test('an origin is scheme, host and port', () {
    final server = Uri.parse('https://pay.example');
    for (final (other, isSame) in [
      ('https://pay.example:443/pay?x=1', true),
      ('http://pay.example', false),
      ('https://pay.example.evil.test', false),
      ('https://pay.example@evil.test', false),
      ('https://pay.example:444', false),
    ]) {
      expect(isSameOrigin(server, Uri.parse(other)), isSame, other);
    }
  });

  test('a bank is opened by https or its own scheme, never by what could run', () {
    for (final (text, inSandbox, inProduction) in [
      ('https://bank.example/authorise?x=1', true, true),
      ('zopa://open-banking/consent', true, true),
      ('http://127.0.0.1:4100/authorise', true, false),
      ('http://bank.example', false, false),
      ('javascript:alert(1)', false, false),
      ('JavaScript:alert(1)', false, false),
      ('intent://x#Intent;scheme=a;end', false, false),
      ('data:text/html,x', false, false),
      ('file:///etc/passwd', false, false),
      ('https://', false, false),
      ('bank', false, false),
      ('http://[', false, false),
      ('https://bank.example/${'x' * 9000}', false, false),
    ]) {
      expect(externalAddress(text, allowsThisMachine: true) != null, inSandbox, text);
      expect(externalAddress(text, allowsThisMachine: false) != null, inProduction, text);
    }
    for (final (link, isSafe) in [
      ('mailto:help@shop.example', true),
      ('https://terms.example', true),
      ('http://127.0.0.1:4100/authorise', false),
      ('zopa://x', false),
    ]) {
      expect(isSafeLink(Uri.parse(link), allowsThisMachine: false), isSafe, link);
    }
    expect(isOfTheWeb(Uri.parse('zopa://x')), false);
  });

  const back =
      'https://shop.example/thanks?order=7&basket=b-1&orderId=o-7&paymentRequestId=r&status=COMPLETED'
      '&paymentIdempotencyId=01JD0XAMPLE0PAYMENT&signature=s&signatureHash=h&florinAmount=12.50'
      '&idempotency=01JD0XAMPLE0PAYMENT&redirectUrl=https%3A%2F%2Fshop.example%2Fthanks%3Forder%3D7&amount=12.5';

  test('the way back is read', () {
    final read = MerchantRedirect.tryParse(Uri.parse(back))!;
    expect(read.idempotency, '01JD0XAMPLE0PAYMENT');
    expect(read.redirectUrl.toString(), 'https://shop.example/thanks?order=7');
    expect(read.amount, 12.5);
    expect(read.redirectUrlParams, {'basket': 'b-1'});
    expect((read.orderId, read.paymentRequestId, read.status), ('o-7', 'r', 'COMPLETED'));
    expect((read.signature, read.signatureHash), ('s', 'h'));
  });

  test("an app's own scheme comes back too", () {
    const link = 'shop.example.app://paid?idempotency=01JD0XAMPLE0&amount=1&redirectUrl=';
    final read = MerchantRedirect.tryParse(Uri.parse('${link}shop.example.app%3A%2F%2Fpaid'));
    expect(read?.amount, 1.0);
  });

  test('other links are not the way back', () {
    for (final (part, other) in [
      ('idempotency=01JD0XAMPLE0PAYMENT', 'idempotency=<b>'),
      ('amount=12.5', 'amount=much'),
      ('amount=12.5', 'amount=-1'),
      ('amount=12.5', 'amount=NaN'),
      ('redirectUrl=https', 'other=https'),
      ('https://shop.example/thanks?', 'https://evil.example/thanks?'),
      ('https://shop.example/thanks?', 'https://shop.example/other?'),
      ('basket=b-1', 'basket=%FF'),
    ]) {
      expect(back.contains(part), true, part);
      expect(MerchantRedirect.tryParse(Uri.parse(back.replaceFirst(part, other))), null, other);
    }
    expect(MerchantRedirect.tryParse(Uri.parse('https://shop.example/')), null);
  });
}
