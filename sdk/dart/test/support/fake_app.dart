import 'dart:async';
import 'dart:convert';

import 'package:florin_core/florin_core.dart';

/// The four ports, as a test drives them.
final class FakeApp implements CheckoutSurface, AppLifecycle, SheetHost {
  final opened = <Uri>[];
  final launched = <Uri>[];
  final asked = <Uri>[];
  SurfaceListener? page;
  bool launches = true;
  bool hasApp = true;
  int closings = 0;
  bool _isForeground = true;
  final _changes = StreamController<bool>.broadcast(sync: true);

  PayPorts get ports => PayPorts(surface: this, launcher: FakeLauncher(this), lifecycle: this, sheet: this);

  String get nonce => opened.last.fragment.split('.').last;

  void say(Map<String, Object?> message, {String? nonce, int florin = 1, Uri? from}) => page!.onMessage(
    jsonEncode({'florin': florin, 'nonce': nonce ?? this.nonce, ...message}),
    from ?? opened.last,
  );

  @override
  Future<void> open(Uri address, SurfaceListener listener) async {
    opened.add(address);
    page = listener;
  }

  @override
  bool get isForeground => _isForeground;

  @override
  Stream<bool> get foregroundChanges => _changes.stream;

  void move({required bool toForeground}) {
    _isForeground = toForeground;
    _changes.add(toForeground);
  }

  @override
  void close() => closings += 1;
}

/// The launcher is a port of its own: both surface and launcher have a method `open`.
final class FakeLauncher implements ExternalLauncher {
  FakeLauncher(this.app);
  final FakeApp app;

  @override
  Future<bool> canOpen(Uri address) async {
    app.asked.add(address);
    return app.hasApp;
  }

  @override
  Future<bool> open(Uri address) async {
    app.launched.add(address);
    return app.launches;
  }
}
