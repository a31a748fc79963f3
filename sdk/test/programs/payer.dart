import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:florin_core/florin_core.dart';

import 'chromium_surface.dart';

/// Does what the test says in lines of JSON, and tells in lines of JSON what happened.
Future<void> main(List<String> arguments) async {
  final [address, chromium, environment] = arguments;
  final server = FlorinServer(Uri.parse(address));
  Chromium? browser;
  final lines = stdin.transform(utf8.decoder).transform(const LineSplitter());
  final payers = <String, _Payer>{};
  await for (final line in lines) {
    final order = jsonDecode(line) as Map<String, Object?>;
    final id = order['id']! as String;
    switch (order['do']) {
      case 'describe' || 'status':
        await _ask(server, order, id);
      case 'pay':
        browser ??= await Chromium.launch(
          chromium,
          (jsonDecode(environment) as Map<String, Object?>).cast(),
        );
        payers[id] = _Payer(server, browser, order, id)..start();
      case final String step:
        await payers[id]!.take(step, order);
    }
  }
  for (final payer in payers.values) {
    await payer.surface.close();
  }
  await browser?.close();
  server.close();
}

void _tell(Map<String, Object?> line) => stdout.writeln(jsonEncode(line));

Env _env(Map<String, Object?> order) => Env.values.byName(order['env'] as String? ?? 'sandbox');

Future<void> _ask(FlorinServer server, Map<String, Object?> order, String id) async {
  try {
    if (order['do'] == 'status') {
      final payment = order['payment'] as String?;
      final read = await server.readStatus(id, _env(order), paymentIdempotencyId: payment);
      _tell({'details': read.toJson()});
    } else {
      final details = order['customer'] as Map<String, Object?>?;
      final customer = details == null ? null : CustomerDetails(email: details['email'] as String?);
      final described = await server.describe(id, _env(order), customer);
      _tell({'lastBankId': described.lastBankId});
    }
  } on PayException catch (error) {
    _tell({'error': error.type.name, 'amount': error.amount});
  }
}

final class _Payer implements ExternalLauncher, AppLifecycle, SheetHost {
  _Payer(this.server, Chromium browser, this.order, this.id) {
    surface = ChromiumSurface(browser, (line) => _tell({'id': id, ...line}));
  }

  final FlorinServer server;
  final Map<String, Object?> order;
  final String id;
  late final ChromiumSurface surface;
  late final PaySession session;
  final _changes = StreamController<bool>.broadcast();

  void start() {
    final customer = order['email'] as String?;
    session = PaySession(
      server: server,
      request: PayRequest(
        env: _env(order),
        paymentId: id,
        showHowPaymentWorks: order['showHowPaymentWorks'] == true,
        customerDetails: customer == null ? null : CustomerDetails(email: customer),
      ),
      ports: PayPorts(surface: surface, launcher: this, lifecycle: this, sheet: this),
      times: const PayTimes(
        backOff: BackOff(first: Duration(milliseconds: 100), longest: Duration(milliseconds: 400)),
        resultShownFor: Duration(milliseconds: 400),
      ),
      callbacks: PayCallbacks(
        onError: (error) => _tell({'id': id, 'error': error.type.name, 'says': error.message}),
        onPaymentStatusChange:
            ({required status, redirectUrlParams, signature, signatureHash}) => _tell({
              'id': id,
              'status': status.wire,
              'redirectUrlParams': redirectUrlParams,
              'signature': signature,
              'signatureHash': signatureHash,
            }),
        onUserClose:
            ({required paymentRequestId, redirectUrlParams, signature, signatureHash}) =>
                _tell({'id': id, 'userClose': paymentRequestId, 'params': redirectUrlParams}),
      ),
    );
    unawaited(
      session.run().then((details) {
        _tell({'id': id, 'result': details?.toJson(), 'isCompleted': details?.isCompleted});
      }),
    );
  }

  Future<void> take(String step, Map<String, Object?> order) async {
    switch (step) {
      case 'press':
        await surface.press(order['selector']! as String);
      case 'see':
        await surface.see(order['text']! as String);
      case 'read':
        _tell({'id': id, 'read': await surface.evaluate(order['script']! as String)});
      case 'picture':
        await surface.picture(order['path']! as String);
      case 'close':
        session.close();
      default:
        throw ArgumentError.value(step, 'step', 'is unknown');
    }
    if (step != 'read') _tell({'id': id, 'done': step});
  }

  @override
  Future<bool> canOpen(Uri address) async => true;

  @override
  Future<bool> open(Uri address) async {
    _tell({'id': id, 'opened': '$address'});
    return true;
  }

  @override
  bool get isForeground => true;

  @override
  Stream<bool> get foregroundChanges => _changes.stream;

  @override
  void close() => _tell({'id': id, 'sheet': 'closed'});
}
