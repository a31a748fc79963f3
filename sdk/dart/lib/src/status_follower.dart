import 'dart:async';
import 'dart:math';

import 'florin_server.dart';
import 'generated/transaction_details.dart';
import 'pay_exception.dart';
import 'ports.dart';

/// How long to wait between two reads of a status.
final class BackOff {
  const BackOff({
    this.first = const Duration(seconds: 1),
    this.longest = const Duration(seconds: 15),
    this.factor = 1.5,
  });

  final Duration first;
  final Duration longest;
  final double factor;

  /// After so many reads without news.
  Duration after(int quietReads) {
    final milliseconds = first.inMilliseconds * pow(factor, quietReads);
    return milliseconds >= longest.inMilliseconds
        ? longest
        : Duration(milliseconds: milliseconds.round());
  }
}

/// Reads a payment's status again and again: seldom when nothing changes, not at all while the app is in
/// the background, and at once when it comes back.
final class StatusFollower {
  StatusFollower({
    required this.read,
    required this.lifecycle,
    required this.onDetails,
    required this.onProblem,
    this.backOff = const BackOff(),
    this.failuresUntilProblem = 4,
  });

  final Future<TransactionDetails> Function() read;
  final AppLifecycle lifecycle;
  final void Function(TransactionDetails details) onDetails;

  /// Told once for each row of failures: a single one is no news on a phone. At once when the client is
  /// closed, which is the end.
  final void Function(PayException problem) onProblem;
  final BackOff backOff;
  final int failuresUntilProblem;

  StreamSubscription<bool>? _changes;
  Timer? _next;
  bool _isReading = false;
  bool _isAskedAgain = false;
  int _quietReads = 0;
  int _failures = 0;
  String? _lastStatus;

  bool get isRunning => _changes != null;

  void start() {
    if (isRunning) return readNow();
    _changes = lifecycle.foregroundChanges.listen(
      (isForeground) => isForeground ? readNow() : _next?.cancel(),
    );
    readNow();
  }

  /// At once, and often again from now on.
  void readNow() {
    if (!isRunning) return;
    _quietReads = 0;
    _isAskedAgain = _isReading;
    if (!_isReading) unawaited(_readOnce());
  }

  void stop() {
    _next?.cancel();
    unawaited(_changes?.cancel());
    _changes = null;
  }

  Future<void> _readOnce() async {
    _next?.cancel();
    if (!lifecycle.isForeground) return;
    _isReading = true;
    Duration? asked;
    try {
      _take(await read());
    } on TryLater catch (error) {
      asked = error.after;
      _fail(const PayException(PayErrorType.server, 'The server cannot answer at the moment.'));
    } on PayException catch (error) {
      _fail(error);
    } finally {
      _isReading = false;
    }
    if (!isRunning || !lifecycle.isForeground) return;
    final wait = _isAskedAgain ? Duration.zero : backOff.after(_quietReads);
    _isAskedAgain = false;
    _next = Timer(asked != null && asked > wait ? asked : wait, _readOnce);
  }

  void _take(TransactionDetails details) {
    if (!isRunning) return;
    _failures = 0;
    _quietReads = details.status == _lastStatus ? _quietReads + 1 : 0;
    _lastStatus = details.status;
    onDetails(details);
  }

  void _fail(PayException problem) {
    if (problem.type == PayErrorType.closed) {
      if (isRunning) onProblem(problem);
      return stop();
    }
    _failures += 1;
    _quietReads += 1;
    if (isRunning && _failures == failuresUntilProblem) onProblem(problem);
  }
}
