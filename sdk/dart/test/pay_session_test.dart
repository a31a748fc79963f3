import 'dart:async';

import 'package:florin_core/florin_core.dart';

import 'support/check.dart';
import 'support/details.dart';
import 'support/fake_app.dart';
import 'support/fake_server.dart';

const _describe = 'POST /api/payments/get-payment-details';
const _status = 'GET /api/payments/payment-status/$requestId';
const _paymentStatus = 'GET /api/payments/payment-status/01JD0XAMPLE0';
const _bank = 'https://bank.example/authorise';

const _times = PayTimes(
  backOff: BackOff(first: Duration(milliseconds: 2), longest: Duration(milliseconds: 10)),
  resultShownFor: Duration(milliseconds: 20),
  reloadAfter: Duration(milliseconds: 2),
);

/// A session with its app and server, and what the callbacks were told.
final class _Run {
  _Run(this.fake, this.app, this.session, this.told, this.errors);

  static Future<_Run> open({
    Env env = Env.sandbox,
    String paymentId = requestId,
    CustomerDetails? customerDetails,
    PayTimes times = _times,
    void Function()? onStatus,
  }) async {
    final fake = await FakeServer.open();
    fake.answer(_describe, [FakeAnswer(200, {'env': env.wire})]);
    final app = FakeApp();
    final told = <String>[];
    final errors = <PayException>[];
    final session = PaySession(
      server: FlorinServer(fake.address),
      request: PayRequest(
        env: env,
        paymentId: paymentId,
        showHowPaymentWorks: true,
        customerDetails: customerDetails,
      ),
      ports: app.ports,
      times: times,
      callbacks: PayCallbacks(
        onError: errors.add,
        onPaymentStatusChange: ({required status, redirectUrlParams, signature, signatureHash}) {
          told.add('${status.name} $redirectUrlParams $signature $signatureHash');
          onStatus?.call();
        },
        onUserClose: ({
          required paymentRequestId,
          redirectUrlParams,
          signature,
          signatureHash,
        }) => told.add('closed $paymentRequestId $redirectUrlParams $signature'),
      ),
    );
    return _Run(fake, app, session, told, errors);
  }

  final FakeServer fake;
  final FakeApp app;
  final PaySession session;
  final List<String> told;
  final List<PayException> errors;

  List<PayErrorType> get errorTypes => [for (final each in errors) each.type];

  Future<Future<TransactionDetails?>> shown() async {
    final answer = session.run();
    await until(() => app.opened.isNotEmpty || session.state == PayState.ended, 'the page');
    if (app.opened.isNotEmpty) app.say({'type': 'ready', 'page': 'CHOOSE_BANK'});
    return answer;
  }

  void sayStatus(String status, {String? payment = '01JD0XAMPLE0'}) =>
      app.say({'type': 'status', 'status': status, 'paymentIdempotencyId': payment});
  void sayDone(String status, {String? payment = '01JD0XAMPLE0'}) =>
      app.say({'type': 'done', 'status': status, 'paymentIdempotencyId': payment});
  void openBank([String url = _bank]) => app.say({'type': 'openExternal', 'url': url});

  Future<void> close() async {
    session.close();
    session.server.close();
    await fake.close();
  }
}

void paySessionTests() {
  void run(String name, Future<void> Function(_Run) body, {Env env = Env.sandbox}) =>
      test('session: $name', () async {
        final it = await _Run.open(env: env);
        try {
          await body(it);
        } finally {
          await it.close();
        }
      });

  const signed = {'signature': 's', 'signatureHash': 'h'};

  run('pays at the bank: every change is told once, and the details are the answer', (it) async {
    it.fake.answer(_paymentStatus, [
      for (final status in ['AWAITING_AUTHORIZATION', 'AWAITING_AUTHORIZATION', 'PENDING'])
        FakeAnswer(200, detailsOf(status)),
      FakeAnswer(200, detailsOf('COMPLETED', more: signed)),
    ]);
    final answer = await it.shown();
    expect(it.session.state, PayState.choosing);
    it.sayStatus('AWAITING_AUTHORIZATION');
    it.openBank();
    final details = await answer;
    expect(details?.isCompleted, true);
    expect(it.app.launched, [Uri.parse(_bank)]);
    const basket = '{basket: b-1}';
    expect(it.told, [
      'awaitingAuthorization $basket null null',
      'pending $basket null null',
      'completed $basket s h',
    ]);
    expect([it.app.closings, it.errors], [1, const <PayException>[]]);
  });

  run('is dismissed before anything was started: no answer, no callback', (it) async {
    final answer = await it.shown();
    it.session.close();
    expect(await answer, null);
    expect([it.told, it.app.closings], [const <String>[], 1]);
    it.session.close();
    expect(it.app.closings, 1);
  });

  run('is dismissed while the request is read', (it) async {
    final answer = it.session.run();
    it.session.close();
    expect(await answer, null);
    await until(() => it.fake.requests.isNotEmpty);
    await Future<void>.delayed(const Duration(milliseconds: 20));
    expect(it.app.opened, const <Uri>[]);
  });

  run('is closed while the bank has the payer: told, with what is known', (it) async {
    it.fake.answer(_paymentStatus, [FakeAnswer(200, detailsOf('PENDING'))]);
    final answer = await it.shown();
    it.sayStatus('PENDING');
    await until(() => it.told.isNotEmpty);
    it.session.close();
    expect((await answer)?.isPending, true);
    expect(it.told.last, 'closed $requestId {basket: b-1} null');
  });

  run('is closed before the first status: told, without an answer', (it) async {
    it.fake.answer(_status, [const FakeAnswer(503, {})]);
    final answer = await it.shown();
    it.openBank();
    await until(() => it.app.launched.isNotEmpty);
    it.session.close();
    expect(await answer, null);
    expect(it.told, ['closed $requestId null null']);
  });

  run('a failed payment ends only when the page offers no other try', (it) async {
    it.fake.answer(_paymentStatus, [FakeAnswer(200, detailsOf('FAILED'))]);
    final answer = await it.shown();
    it.sayStatus('FAILED');
    await until(() => it.fake.requests.length > 5);
    expect(it.session.state, PayState.verifying);
    it.sayDone('FAILED');
    expect((await answer)?.isFailed, true);
    expect(it.told.length, 1);
  });

  run('an expired request ends by itself, without a close', (it) async {
    it.fake.answer(_status, [FakeAnswer(200, detailsOf('EXPIRED'))]);
    final answer = await it.shown();
    it.sayDone('EXPIRED', payment: null);
    expect((await answer)?.isExpired, true);
    expect(it.told.length, 1);
  });

  run('the page says paid, the server does not: nothing is believed', (it) async {
    it.fake.answer(_paymentStatus, [FakeAnswer(200, detailsOf('PENDING'))]);
    final answer = await it.shown();
    it.sayStatus('COMPLETED');
    it.sayDone('COMPLETED');
    await until(() => it.fake.count('/api/payments/payment-status/01JD0XAMPLE0') > 4);
    expect(it.session.state, PayState.verifying);
    it.session.close();
    expect((await answer)?.isCompleted, false);
  });

  run('the payment of another request is not believed', (it) async {
    it.fake.answer(_paymentStatus, [
      FakeAnswer(200, {...detailsOf('COMPLETED'), 'paymentRequestId': 'another'}),
    ]);
    final answer = await it.shown();
    it.sayStatus('COMPLETED');
    await until(() => it.errors.isNotEmpty);
    it.session.close();
    expect(await answer, null);
    expect(it.errorTypes, [PayErrorType.server]);
  });

  run('messages of another page, nonce or version do nothing', (it) async {
    final answer = await it.shown();
    final evil = Uri.parse('https://evil.example/pay');
    it.app.say({'type': 'openExternal', 'url': _bank}, from: evil);
    it.app.say({'type': 'openExternal', 'url': _bank}, nonce: 'f' * 32);
    it.app.page!.onMessage('{}', null);
    it.app.say({'type': 'ready', 'page': 'x'}, florin: 2);
    it.app.say({'type': 'ready', 'page': 'x'}, florin: 2);
    await Future<void>.delayed(const Duration(milliseconds: 10));
    expect([it.app.launched, it.session.state], [const <Uri>[], PayState.choosing]);
    expect(it.errorTypes, [PayErrorType.server]);
    it.session.close();
    await answer;
    it.openBank();
    expect(it.app.launched, const <Uri>[]);
    expect(it.app.page!.onNavigation(it.app.opened.last), Navigation.prevent);
  });

  run('the page stays on its origin; links leave the app', (it) async {
    await it.shown();
    final page = it.app.page!;
    final server = it.fake.address;
    for (final (target, wanted, leaves) in [
      (server.resolve('/pay?x=1'), Navigation.allow, false),
      (Uri.parse('https://terms.example/'), Navigation.prevent, true),
      (Uri.parse('mailto:help@shop.example'), Navigation.prevent, true),
      (Uri.parse('javascript:alert(1)'), Navigation.prevent, false),
      (Uri.parse('intent://x'), Navigation.prevent, false),
      (Uri.parse('http://127.0.0.1:1/'), Navigation.prevent, true),
      (Uri.parse('http://bank.example/'), Navigation.prevent, false),
    ]) {
      it.app.launched.clear();
      expect(page.onNavigation(target), wanted, '$target');
      expect(it.app.launched.isNotEmpty, leaves, '$target');
    }
  });

  run("a bank's own app is asked for, and its absence is told", (it) async {
    it.fake.answer(_status, [FakeAnswer(200, detailsOf('AWAITING_AUTHORIZATION'))]);
    await it.shown();
    it.openBank('zopa://open-banking/consent');
    await until(() => it.app.launched.isNotEmpty);
    it.app.hasApp = false;
    it.openBank('zopa://open-banking/consent');
    await until(() => it.errors.length == 1);
    it.app.launches = false;
    it.openBank();
    await until(() => it.errors.length == 2);
    it.openBank('javascript:alert(1)');
    await until(() => it.errors.length == 3);
    expect(it.errorTypes.toSet().toList(), [PayErrorType.cannotOpenBank]);
    expect([it.app.asked.length, it.app.launched.length], [2, 2]);
  });

  run('in production a bank on this machine is not opened', (it) async {
    await it.shown();
    it.openBank('http://127.0.0.1:4100/authorise');
    await until(() => it.errors.isNotEmpty);
    expect([it.errorTypes, it.app.launched], [[PayErrorType.cannotOpenBank], const <Uri>[]]);
  }, env: Env.prod);

  run('an error of the page is told, and the payer may go on', (it) async {
    await it.shown();
    it.app.say({'type': 'error', 'code': 'UNAVAILABLE', 'message': 'later'});
    expect([it.errorTypes, it.session.state], [[PayErrorType.page], PayState.choosing]);
  });

  run('a page that does not load is loaded again, then given up', (it) async {
    final answer = await it.shown();
    for (var load = 2; load <= 4; load += 1) {
      it.app.page!.onLoadFailed('offline');
      await until(() => it.app.opened.length == load);
    }
    it.app.say({'type': 'ready', 'page': 'REVIEW'});
    for (var load = 5; load <= 8; load += 1) {
      it.app.page!.onLoadFailed('offline');
      await until(() => it.app.opened.length == load);
    }
    it.app.page!.onLoadFailed('offline');
    expect(await answer, null);
    expect(it.errorTypes.toSet().toList(), [PayErrorType.page]);
    it.app.page!.onLoadFailed('late');
    expect(it.session.state, PayState.ended);
  });

  test('session: what cannot be paid is told, and answers nothing', () async {
    for (final (answer, type) in <(FakeAnswer, PayErrorType)>[
      (const FakeAnswer(404, {'name': 'NOT_FOUND'}), PayErrorType.notFound),
      (const FakeAnswer(200, {'env': 'PRODUCTION'}), PayErrorType.wrongEnvironment),
      (const FakeAnswer(503, {}), PayErrorType.server),
    ]) {
      final it = await _Run.open();
      it.fake.answer(_describe, [answer]);
      expect(await it.session.run(), null);
      expect([it.errorTypes, it.app.closings], [[type], 1]);
      await it.close();
    }
  });

  test('session: wrong inputs never reach the server', () async {
    for (final (id, customer) in [
      ('order-7', null),
      (requestId, const CustomerDetails(phoneNumber: '+44')),
    ]) {
      final it = await _Run.open(paymentId: id, customerDetails: customer);
      expect(await it.session.run(), null);
      expect([it.errorTypes, it.fake.requests.length], [[PayErrorType.invalidInput], 0]);
      await it.close();
    }
  });

  test('session: a callback that throws stops no payment', () async {
    final thrown = <Object>[];
    await runZonedGuarded(() async {
      final it = await _Run.open(onStatus: () => throw StateError('of the app'));
      it.fake.answer(_paymentStatus, [FakeAnswer(200, detailsOf('COMPLETED'))]);
      final answer = await it.shown();
      it.sayStatus('COMPLETED');
      expect((await answer)?.isCompleted, true);
      await it.close();
    }, (error, _) => thrown.add(error));
    expect(thrown.length, 1);
  });

  test('session: closed while the result is shown answers it at once', () async {
    final it = await _Run.open(times: const PayTimes(resultShownFor: Duration(hours: 1)));
    it.fake.answer(_paymentStatus, [FakeAnswer(200, detailsOf('COMPLETED'))]);
    final answer = await it.shown();
    it.sayStatus('PENDING');
    await until(() => it.session.state == PayState.showingResult);
    it.session.close();
    expect((await answer)?.isCompleted, true);
    expect([for (final each in it.told) each.startsWith('closed')], [false]);
    await it.close();
  });

  test('session: a client that is closed meanwhile ends the payment with what is known', () async {
    for (final isReading in [false, true]) {
      final it = await _Run.open();
      final never = Completer<void>();
      it.fake.answer(_paymentStatus, [
        FakeAnswer(200, detailsOf('PENDING')),
        if (isReading) FakeAnswer(200, const {}, hold: never.future),
      ]);
      final answer = await it.shown();
      it.sayStatus('PENDING');
      await until(() => it.told.length == 1);
      if (isReading) await until(() => it.fake.requests.length == 3);
      it.session.server.close();
      expect((await answer)?.status, 'PENDING');
      expect([it.errorTypes, it.app.closings], [[PayErrorType.closed], 1]);
      never.complete();
      await it.close();
    }
  });

  test('session: a closed client opens no payment', () async {
    final it = await _Run.open();
    it.session.server.close();
    expect(await it.session.run(), null);
    expect([it.errorTypes, it.fake.requests.length], [[PayErrorType.closed], 0]);
    await it.close();
  });

  test('session: states only go forward', () {
    final steps = {
      for (final from in PayState.values)
        from.name: [
          for (final to in PayState.values)
            if (from.mayBecome(to)) to.name,
        ],
    };
    expect(steps, {
      'opening': ['choosing', 'ended'],
      'choosing': ['verifying', 'showingResult', 'ended'],
      'verifying': ['showingResult', 'ended'],
      'showingResult': ['ended'],
      'ended': <String>[],
    });
  });
}
