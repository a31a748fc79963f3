import 'dart:convert';
import 'dart:io';

import 'package:florin_core/florin_core.dart';

import 'support/check.dart';

void modelTests(String folder) {
  final vectors =
      jsonDecode(File('$folder/generated/vectors.json').readAsStringSync()) as Map<String, Object?>;

  void eachVector(String kind, Map<String, Object?> Function(Map<String, Object?>) readAndWrite) {
    for (final vector in (vectors[kind]! as List<Object?>).cast<Map<String, Object?>>()) {
      test('$kind: ${vector['name']}', () {
        final json = vector['json']! as Map<String, Object?>;
        final again = jsonDecode(jsonEncode(readAndWrite(json)));
        expect(again, vector['written'] ?? json);
      });
    }
  }

  eachVector('transactionDetails', (json) => TransactionDetails.fromJson(json).toJson());
  eachVector('embedMessages', (json) => EmbedMessage.fromJson(json)!.toJson());

  final least =
      ((vectors['transactionDetails']! as List<Object?>)[1]! as Map<String, Object?>)['json']!
          as Map<String, Object?>;
  TransactionDetails withMembers(Map<String, Object?> more) =>
      TransactionDetails.fromJson({...least, ...more});

  test('each status answers its own question only', () {
    for (final status in TransactionStatus.values) {
      final details = withMembers({'status': status.wire.toLowerCase(), 'totalRefundAmount': 0});
      expect(details.kind, status);
      expect(
        {
          'completed': details.isCompleted,
          'pending': details.isPending,
          'failed': details.isFailed,
          'cancelled': details.isCancelled,
          'expired': details.isExpired,
          'refunded': details.isRefunded,
          'awaitingAuthorization': details.isAwaitingAuthorization,
          'paymentNotInitiated': details.isNotInitiated,
        },
        {
          for (final name in [
            'completed', 'pending', 'failed', 'cancelled', 'expired', 'refunded', //
            'awaitingAuthorization', 'paymentNotInitiated',
          ])
            name: name == status.name,
        },
      );
    }
  });

  test('a status that came later is unknown, and not final', () {
    final details = withMembers({'status': 'RESTING'});
    expect(details.kind, TransactionStatus.unknown);
    expect(details.isFinal, false);
  });

  test('settlement, tip and refunds are read', () {
    Map<String, Object?> iso(String code) => {
      'status': 'COMPLETED',
      'statusUpdateDate': 'x',
      'isoStatus': {'code': code, 'name': 'x'},
    };
    final accepted = withMembers({'status': 'COMPLETED', 'statusDetails': iso('ACSP')});
    final settled = withMembers({'status': 'COMPLETED', 'statusDetails': iso('ACCC')});
    expect(accepted.isSettlementInProcess, true);
    expect(settled.isSettlementInProcess, false);
    expect(withMembers({'tipAmount': 1}).hasTip, true);
    expect(withMembers({'tipAmount': 0}).hasTip, false);
    expect(withMembers({'status': 'COMPLETED', 'totalRefundAmount': 1}).isRefunded, true);
  });

  test('what the contract does not allow is refused, with the name of the member', () {
    for (final (member, value) in <(String, Object?)>[
      ('status', null),
      ('status', [1]),
      ('paidAmount', 'much'),
      ('paidAmount', [1]),
      ('refundDetails', 'none'),
      ('refundDetails', [1]),
      ('storeDetails', null),
      ('storeDetails', 'shop'),
      ('redirectUrlParams', 'a=b'),
    ]) {
      final error = expectThrows<UnexpectedJson>(() => withMembers({member: value}));
      expect(error.member, member);
      expect('$error'.contains(member), true);
      expect((error.offset, error.source), (null, error.found));
    }
    expect(withMembers({'redirectUrlParams': null, 'refundDetails': null}).refundDetails, const []);
    expect(withMembers({'orderId': 7}).orderId, '7');
  });
}
