import 'dart:async';

import 'package:florin_core/florin_core.dart';

import 'support/check.dart';
import 'support/details.dart';
import 'support/fake_app.dart';

void statusFollowerTests() {
  TransactionDetails details(String status) => TransactionDetails.fromJson(detailsOf(status));
  const quick = BackOff(first: Duration(milliseconds: 2), longest: Duration(milliseconds: 8));

  ({StatusFollower follower, List<String> seen, List<PayException> problems, FakeApp app}) follow(
    Future<TransactionDetails> Function(int read) read, {
    BackOff backOff = quick,
  }) {
    final app = FakeApp();
    final seen = <String>[];
    final problems = <PayException>[];
    var reads = 0;
    final follower = StatusFollower(
      read: () => read(reads += 1),
      lifecycle: app,
      onDetails: (each) => seen.add(each.status),
      onProblem: problems.add,
      backOff: backOff,
    );
    return (follower: follower, seen: seen, problems: problems, app: app);
  }

  test('waits grow to the longest', () {
    const backOff = BackOff();
    expect(
      [for (final quiet in [0, 1, 2, 4, 6, 7, 500]) backOff.after(quiet).inMilliseconds],
      [1000, 1500, 2250, 5063, 11391, 15000, 15000],
    );
  });

  test('reads again and again, and no more once it is stopped', () async {
    final it = follow((_) async => details('PENDING'));
    it.follower.readNow();
    expect(it.seen, const <String>[]);
    it.follower.start();
    it.follower.start();
    await until(() => it.seen.length >= 4);
    it.follower.stop();
    final before = it.seen.length;
    await Future<void>.delayed(const Duration(milliseconds: 40));
    expect(it.seen.length, before);
    expect(it.follower.isRunning, false);
  });

  test('rests in the background, and reads at once when the app is back', () async {
    final it = follow(
      (_) async => details('PENDING'),
      backOff: const BackOff(first: Duration(seconds: 60), longest: Duration(seconds: 60)),
    );
    it.follower.start();
    await until(() => it.seen.length == 1);
    it.app.move(toForeground: false);
    it.follower.readNow();
    await Future<void>.delayed(const Duration(milliseconds: 20));
    expect(it.seen.length, 1);
    it.app.move(toForeground: true);
    await until(() => it.seen.length == 2);
    it.follower.stop();
  });

  test('an answer that comes while the app leaves starts no timer', () async {
    final gate = Completer<void>();
    final it = follow((read) async {
      if (read == 1) await gate.future;
      return details('PENDING');
    });
    it.follower.start();
    it.app.move(toForeground: false);
    gate.complete();
    await until(() => it.seen.length == 1);
    await Future<void>.delayed(const Duration(milliseconds: 20));
    expect(it.seen.length, 1);
    it.follower.stop();
  });

  test('news asked for during a read is read right after it', () async {
    final gate = Completer<void>();
    final it = follow((read) async {
      if (read == 1) await gate.future;
      return details(read == 1 ? 'PENDING' : 'COMPLETED');
    }, backOff: const BackOff(first: Duration(seconds: 60), longest: Duration(seconds: 60)));
    it.follower.start();
    it.follower.readNow();
    gate.complete();
    await until(() => it.seen.length == 2);
    expect(it.seen, ['PENDING', 'COMPLETED']);
    it.follower.stop();
  });

  test('a row of failures is told once, and ends with an answer', () async {
    final it = follow((read) async {
      if (read <= 6) throw const PayException(PayErrorType.network, 'gone');
      if (read == 7) return details('PENDING');
      if (read <= 13) throw const TryLater(null);
      return details('COMPLETED');
    });
    it.follower.start();
    await until(() => it.seen.contains('COMPLETED'));
    it.follower.stop();
    expect([for (final each in it.problems) each.type], [PayErrorType.network, PayErrorType.server]);
  });

  test('a server that asks for time gets it', () async {
    final clock = Stopwatch()..start();
    final it = follow((read) async {
      if (read == 1) throw const TryLater(Duration(milliseconds: 120));
      return details('PENDING');
    });
    it.follower.start();
    await until(() => it.seen.isNotEmpty);
    it.follower.stop();
    expect(clock.elapsedMilliseconds >= 110, true);
  });
}
