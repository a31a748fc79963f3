import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:florin_core/florin_core.dart';

import 'support/check.dart';
import 'support/details.dart';
import 'support/fake_server.dart';

const _id = 'b8a1c0de-0000-4000-8000-000000000001';
const _describe = 'POST /api/payments/get-payment-details';
const _status = 'GET /api/payments/payment-status/$_id';

void serverTests() {
  Future<void> withServer(
    Future<void> Function(FakeServer, FlorinServer) run, {
    Duration timeout = const Duration(seconds: 20),
  }) async {
    final fake = await FakeServer.open();
    final server = FlorinServer(fake.address, timeout: timeout);
    try {
      await run(fake, server);
    } finally {
      server.close();
      await fake.close();
    }
  }

  test('a server is https, or this machine', () {
    for (final (address, isAllowed) in [
      ('https://pay.example', true),
      ('http://127.0.0.1:3000', true),
      ('http://10.0.2.2:3000', true),
      ('http://pay.example', false),
      ('pay.example', false),
    ]) {
      expect(FlorinServer.isAllowed(Uri.parse(address)), isAllowed, address);
    }
    expectThrows<ArgumentError>(() => FlorinServer(Uri.parse('http://pay.example')));
  });

  test('the request is described, with the customer who pays', () async {
    await withServer((fake, server) async {
      fake.answer(_describe, [
        const FakeAnswer(200, {
          'env': 'SANDBOX',
          'lastPaymentBankDetails': {'institutionId': 'monzo'},
        }),
        const FakeAnswer(200, {'env': 'SANDBOX', 'lastPaymentBankDetails': null}),
      ]);
      const customer = CustomerDetails(email: 'ada@example.com');
      expect((await server.describe(_id, Env.sandbox, customer)).lastBankId, 'monzo');
      expect((await server.describe(_id, Env.sandbox, null)).lastBankId, null);
      expect(fake.requests.first.uri.queryParameters, {'env': 'sandbox'});
      expect([for (final each in fake.requests) jsonDecode(each.body)], [
        {
          'data': _id,
          'customerDetails': {'email': 'ada@example.com'},
        },
        {'data': _id},
      ]);
    });
  });

  test('every refusal has its own type', () async {
    await withServer((fake, server) async {
      fake.answer(_status, [
        FakeAnswer(200, detailsOf('COMPLETED')),
        FakeAnswer(200, detailsOf('CANCELLED')),
        FakeAnswer(200, detailsOf('EXPIRED')),
      ]);
      Map<String, Object?> named(String name) => {
        'name': name,
        'message': 'why',
        'amount': 12.5,
        'referenceId': 'ref',
        'time': 'then',
      };
      for (final (status, json, type) in <(int, Object?, PayErrorType)>[
        (404, named('NOT_FOUND'), PayErrorType.notFound),
        (400, named('REQUEST_TIMEOUT'), PayErrorType.expired),
        (403, named('MERCHANT_SUSPENDED'), PayErrorType.suspended),
        (400, named('BAD_REQUEST'), PayErrorType.invalidInput),
        (409, named('INVALID_STATE'), PayErrorType.alreadyPaid),
        (409, named('INVALID_STATE'), PayErrorType.cancelled),
        (409, named('INVALID_STATE'), PayErrorType.expired),
        (418, named('TEAPOT'), PayErrorType.server),
        (200, {'env': 'PRODUCTION'}, PayErrorType.wrongEnvironment),
        (200, [1], PayErrorType.server),
      ]) {
        fake.answer(_describe, [FakeAnswer(status, json)]);
        final error = await expectFailure<PayException>(server.describe(_id, Env.sandbox, null));
        expect(error.type, type, '$json');
        expect('$error'.contains(type.name), true);
        if (type == PayErrorType.alreadyPaid) {
          expect((error.amount, error.referenceId, error.time), (12.5, 'ref', 'then'));
        }
      }
    });
  });

  test('a status is read by request or by payment, and belongs to the request', () async {
    await withServer((fake, server) async {
      const other = 'GET /api/payments/payment-status/01JD0XAMPLE0';
      fake.answer(_status, [FakeAnswer(200, detailsOf('PENDING'))]);
      fake.answer(other, [
        FakeAnswer(200, detailsOf('COMPLETED')),
        FakeAnswer(200, {...detailsOf('COMPLETED'), 'paymentRequestId': 'another'}),
      ]);
      Future<TransactionDetails> read(String? payment) =>
          server.readStatus(_id, Env.prod, paymentIdempotencyId: payment);
      expect((await read(null)).isPending, true);
      expect((await read('01JD0XAMPLE0')).isCompleted, true);
      final error = await expectFailure<PayException>(read('01JD0XAMPLE0'));
      expect(error.type, PayErrorType.server);
      expect(
        [for (final each in fake.requests) each.uri.queryParameters],
        [
          {'type': 'request', 'env': 'prod'},
          {'type': 'payment', 'env': 'prod'},
          {'type': 'payment', 'env': 'prod'},
        ],
      );
    });
  });

  test('what cannot be read is a failure of the server', () async {
    await withServer((fake, server) async {
      for (final answer in [
        const FakeAnswer(200, null, text: '<html>'),
        const FakeAnswer(200, null, text: '\u00ff{'),
        const FakeAnswer(200, {'status': null}),
        const FakeAnswer(403, {'message': 'no'}),
        FakeAnswer(200, {'padding': 'x' * (1 << 21)}),
      ]) {
        fake.answer(_status, [answer]);
        final error = await expectFailure<PayException>(server.readStatus(_id, Env.sandbox));
        expect(error.type, PayErrorType.server);
      }
      final gone = await expectFailure<PayException>(
        server.readStatus('b8a1c0de-0000-4000-8000-000000000002', Env.sandbox),
      );
      expect(gone.type, PayErrorType.notFound);
    });
  });

  test('a server that is overloaded says when to come again', () async {
    await withServer((fake, server) async {
      fake.answer(_status, [
        const FakeAnswer(429, {}, headers: {'retry-after': '7'}),
        const FakeAnswer(503, {}),
      ]);
      final often = await expectFailure<TryLater>(server.readStatus(_id, Env.sandbox));
      final down = await expectFailure<TryLater>(server.readStatus(_id, Env.sandbox));
      expect((often.after, down.after), (const Duration(seconds: 7), null));
    });
  });

  test('no answer and no server are failures of the network', () async {
    final never = Completer<void>();
    await withServer((fake, server) async {
      fake.answer(_status, [FakeAnswer(200, const {}, hold: never.future)]);
      final late = await expectFailure<PayException>(server.readStatus(_id, Env.sandbox));
      expect(late.type, PayErrorType.network);
      never.complete();
    }, timeout: const Duration(milliseconds: 100));
    final closed = await ServerSocket.bind('127.0.0.1', 0);
    final address = Uri.parse('http://127.0.0.1:${closed.port}');
    await closed.close();
    final none = await expectFailure<PayException>(
      FlorinServer(address).readStatus(_id, Env.sandbox),
    );
    expect(none.type, PayErrorType.network);
  });
}
