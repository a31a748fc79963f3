import 'dart:async';

import 'bridge.dart';
import 'checkout_address.dart';
import 'customer_details.dart';
import 'env.dart';
import 'external_address.dart';
import 'florin_server.dart';
import 'generated/embed_message.dart';
import 'generated/transaction_details.dart';
import 'pay_callbacks.dart';
import 'pay_exception.dart';
import 'ports.dart';
import 'status_follower.dart';

/// The inputs of `pay`.
final class PayRequest {
  const PayRequest({
    required this.env,
    required this.paymentId,
    required this.showHowPaymentWorks,
    this.customerDetails,
    this.locale,
  });

  final Env env;

  /// The paymentRequestId.
  final String paymentId;
  final bool showHowPaymentWorks;
  final CustomerDetails? customerDetails;

  /// A language tag of the app; the page has sixteen languages.
  final String? locale;

  /// What is wrong with them; null for nothing.
  String? get problem =>
      _uuid.hasMatch(paymentId) ? customerDetails?.problem : 'paymentId must be a paymentRequestId';
}

final _uuid = RegExp(r'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', caseSensitive: false);

/// What a session uses of the app.
final class PayPorts {
  const PayPorts({
    required this.surface,
    required this.launcher,
    required this.lifecycle,
    required this.sheet,
  });

  final CheckoutSurface surface;
  final ExternalLauncher launcher;
  final AppLifecycle lifecycle;
  final SheetHost sheet;
}

final class PayTimes {
  const PayTimes({
    this.backOff = const BackOff(),
    this.resultShownFor = const Duration(seconds: 2),
    this.reloadAfter = const Duration(seconds: 2),
  });

  final BackOff backOff;

  /// How long the payer sees the result before the sheet closes by itself.
  final Duration resultShownFor;
  final Duration reloadAfter;
}

enum PayState {
  /// Reading the request, before the page is shown.
  opening,

  /// The payer chooses on the page. Nothing was started.
  choosing,

  /// A payment was started: the bank, or the processor, has the payer.
  verifying,

  /// Nothing changes any more. The page shows it for a moment.
  showingResult,
  ended;

  bool mayBecome(PayState next) => switch (this) {
    opening => next == choosing || next == ended,
    choosing => next == verifying || next == showingResult || next == ended,
    verifying => next == showingResult || next == ended,
    showingResult => next == ended,
    ended => false,
  };
}

/// One payment on the hosted page, from the call of `pay` to its answer. The page shows everything; the
/// session opens banks outside, follows the status at the server, and believes no outcome of the page.
final class PaySession implements SurfaceListener {
  PaySession({
    required this.server,
    required this.request,
    required this.ports,
    this.callbacks = const PayCallbacks(),
    this.times = const PayTimes(),
  }) {
    _follower = StatusFollower(
      read: () => server.readStatus(
        _paymentId,
        request.env,
        paymentIdempotencyId: _paymentIdempotencyId,
      ),
      lifecycle: ports.lifecycle,
      onDetails: _take,
      onProblem:
          (problem) =>
              problem.type == PayErrorType.closed ? _refuse(problem) : callbacks.tellError(problem),
      backOff: times.backOff,
    );
  }

  static const _maxLoads = 4;

  final FlorinServer server;
  final PayRequest request;
  final PayPorts ports;
  final PayCallbacks callbacks;
  final PayTimes times;

  final _nonce = newNonce();
  final _answer = Completer<TransactionDetails?>();
  late final StatusFollower _follower;
  late Uri _page;
  PayState _state = PayState.opening;
  TransactionDetails? _last;
  String? _paymentIdempotencyId;
  bool _pageIsDone = false;
  bool _isMismatchTold = false;
  int _loads = 0;
  Timer? _timer;

  PayState get state => _state;
  String get _paymentId => request.paymentId.toLowerCase();

  /// Null when the payer dismissed the sheet before a payment was started.
  Future<TransactionDetails?> run() {
    unawaited(_open());
    return _answer.future;
  }

  /// The payer closes the sheet.
  void close() {
    if (_state == PayState.verifying) callbacks.tellClose(_paymentId, _last);
    _end();
  }

  Future<void> _open() async {
    final problem = request.problem;
    if (problem != null) return _refuse(PayException(PayErrorType.invalidInput, problem));
    try {
      final details = await server.describe(_paymentId, request.env, request.customerDetails);
      if (_state != PayState.opening) return;
      _page = checkoutAddress(
        server.address,
        paymentId: _paymentId,
        showHowPaymentWorks: request.showHowPaymentWorks,
        nonce: _nonce,
        lastBankId: details.lastBankId,
        locale: request.locale,
      );
      _become(PayState.choosing);
      await _load();
    } on TryLater {
      _refuse(const PayException(PayErrorType.server, 'The server cannot answer at the moment.'));
    } on PayException catch (error) {
      _refuse(error);
    }
  }

  void _refuse(PayException error) {
    if (_state == PayState.ended) return;
    callbacks.tellError(error);
    _end();
  }

  Future<void> _load() {
    _loads += 1;
    return ports.surface.open(_page, this);
  }

  @override
  Navigation onNavigation(Uri target) {
    if (_state == PayState.ended) return Navigation.prevent;
    if (isSameOrigin(target, server.address)) return Navigation.allow;
    if (isSafeLink(target, allowsThisMachine: request.env == Env.sandbox)) {
      unawaited(ports.launcher.open(target));
    }
    return Navigation.prevent;
  }

  @override
  void onLoadFailed(String description) {
    if (_state != PayState.choosing && _state != PayState.verifying) return;
    final isLast = _loads >= _maxLoads;
    if (_loads == 1 || isLast) {
      callbacks.tellError(PayException(PayErrorType.page, 'The page did not load: $description'));
    }
    if (isLast) return _end();
    _timer?.cancel();
    _timer = Timer(times.reloadAfter, _load);
  }

  @override
  void onMessage(String text, Uri? page) {
    if (_state == PayState.opening || _state == PayState.ended) return;
    if (page == null || !isSameOrigin(page, server.address)) return;
    switch (readBridge(text, nonce: _nonce)) {
      case BridgeMessage(:final message):
        _follow(message);
      case BridgeMismatch(:final version):
        _tellMismatch(version);
      case BridgeNoise():
    }
  }

  void _tellMismatch(int version) {
    if (_isMismatchTold) return;
    _isMismatchTold = true;
    final says = 'The server speaks version $version of the protocol, this package $embedProtocol.';
    callbacks.tellError(PayException(PayErrorType.server, says));
  }

  void _follow(EmbedMessage message) {
    switch (message) {
      case EmbedReady():
        _loads = 0;
      case EmbedStatus(:final paymentIdempotencyId):
        if (paymentIdempotencyId != null) _started(paymentIdempotencyId);
      case EmbedDone(:final paymentIdempotencyId):
        _pageIsDone = true;
        _paymentIdempotencyId = paymentIdempotencyId ?? _paymentIdempotencyId;
        _follower.start();
      case EmbedOpenExternal(:final url):
        unawaited(_openOutside(url));
      case EmbedError(:final code, message: final text):
        callbacks.tellError(PayException(PayErrorType.page, '$code: $text'));
    }
  }

  /// What the page says is a reason to ask the server, nothing more.
  void _started(String? paymentIdempotencyId) {
    _paymentIdempotencyId = paymentIdempotencyId ?? _paymentIdempotencyId;
    _pageIsDone = false;
    if (_state == PayState.choosing) _become(PayState.verifying);
    if (_state == PayState.verifying) _follower.start();
  }

  Future<void> _openOutside(String url) async {
    final target = externalAddress(url, allowsThisMachine: request.env == Env.sandbox);
    final bool isOpen;
    if (target == null) {
      isOpen = false;
    } else {
      _started(null);
      final canOpen = isOfTheWeb(target) || await ports.launcher.canOpen(target);
      isOpen = canOpen && await ports.launcher.open(target);
    }
    if (isOpen || _state == PayState.ended) return;
    callbacks.tellError(PayException(PayErrorType.cannotOpenBank, 'Nothing opens $url'));
  }

  void _take(TransactionDetails details) {
    final isNews = _last?.status != details.status;
    _last = details;
    if (isNews) callbacks.tellStatus(details);
    // A payment that failed may be tried again, as long as the page offers it.
    if (details.isCompleted || (_pageIsDone && details.isFinal)) _showResult();
  }

  void _showResult() {
    if (!_state.mayBecome(PayState.showingResult)) return;
    _become(PayState.showingResult);
    _follower.stop();
    _timer?.cancel();
    _timer = Timer(times.resultShownFor, _end);
  }

  void _become(PayState next) {
    if (!_state.mayBecome(next)) throw StateError('${_state.name} does not become ${next.name}');
    _state = next;
  }

  void _end() {
    if (_state == PayState.ended) return;
    _become(PayState.ended);
    _follower.stop();
    _timer?.cancel();
    ports.sheet.close();
    _answer.complete(_last);
  }
}
