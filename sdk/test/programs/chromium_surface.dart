import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:florin_core/florin_core.dart';

/// A real browser, spoken to by the protocol of its developer tools.
final class Chromium {
  Chromium._(this._process, this._socket, this._folder) {
    _socket.listen((text) => _receive(jsonDecode(text as String) as Map<String, Object?>));
  }

  static Future<Chromium> launch(String program, Map<String, String> environment) async {
    final folder = await Directory.systemTemp.createTemp('florin-sdk-');
    final process = await Process.start(program, [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      '--user-data-dir=${folder.path}',
    ], environment: environment);
    final address = Completer<String>();
    process.stderr.transform(utf8.decoder).transform(const LineSplitter()).listen((line) {
      final found = RegExp(r'DevTools listening on (ws:\S+)').firstMatch(line)?.group(1);
      if (found != null && !address.isCompleted) address.complete(found);
    });
    unawaited(process.stdout.drain<void>());
    return Chromium._(process, await WebSocket.connect(await address.future), folder);
  }

  final Process _process;
  final WebSocket _socket;
  final Directory _folder;
  final _answers = <int, Completer<Map<String, Object?>>>{};
  final _listeners = <String, void Function(String method, Map<String, Object?> event)>{};
  int _calls = 0;

  Future<Map<String, Object?>> call(
    String method, [
    Map<String, Object?> params = const {},
    String? sessionId,
  ]) {
    final id = _calls += 1;
    final answer = _answers[id] = Completer();
    final session = {if (sessionId != null) 'sessionId': sessionId};
    _socket.add(jsonEncode({'id': id, 'method': method, 'params': params, ...session}));
    return answer.future;
  }

  void listen(String sessionId, void Function(String, Map<String, Object?>) listener) =>
      _listeners[sessionId] = listener;

  void _receive(Map<String, Object?> message) {
    final id = message['id'];
    if (id is int) {
      final result = message['result'] ?? {'error': message['error']};
      return _answers.remove(id)?.complete(result as Map<String, Object?>);
    }
    final params = message['params'] as Map<String, Object?>? ?? const {};
    _listeners[message['sessionId']]?.call(message['method']! as String, params);
  }

  Future<void> close() async {
    await call('Browser.close').timeout(const Duration(seconds: 5), onTimeout: () => const {});
    _process.kill(ProcessSignal.sigkill);
    await _process.exitCode;
    await _socket.close();
    await _folder.delete(recursive: true);
  }
}

/// A tab as the web view of an app would be: it has the bridge, and asks before it goes anywhere.
final class ChromiumSurface implements CheckoutSurface {
  ChromiumSurface(this._browser, this._tell);

  final Chromium _browser;
  final void Function(Map<String, Object?>) _tell;
  late final String _context;
  late final String _session;
  bool _isOpen = false;
  Uri? _page;

  Future<Map<String, Object?>> _call(String method, [Map<String, Object?> params = const {}]) =>
      _browser.call(method, params, _session);

  @override
  Future<void> open(Uri address, SurfaceListener listener) async {
    if (!_isOpen) await _openTab(listener);
    await _call('Page.navigate', {'url': '$address'});
  }

  Future<void> _openTab(SurfaceListener listener) async {
    _isOpen = true;
    _context = (await _browser.call('Target.createBrowserContext'))['browserContextId']! as String;
    final target = await _browser.call('Target.createTarget', {
      'url': 'about:blank',
      'browserContextId': _context,
    });
    final attached = await _browser.call('Target.attachToTarget', {
      'targetId': target['targetId'],
      'flatten': true,
    });
    _session = attached['sessionId']! as String;
    _browser.listen(_session, (method, event) => _hear(listener, method, event));
    await _call('Page.enable');
    await _call('Runtime.enable');
    await _call('Runtime.addBinding', {'name': 'toApp'});
    await _call('Page.addScriptToEvaluateOnNewDocument', {
      'source': 'window.$bridgeName = { postMessage: (text) => toApp(text) };',
    });
    await _call('Emulation.setDeviceMetricsOverride', {
      'width': 390,
      'height': 780,
      'deviceScaleFactor': 1,
      'mobile': true,
    });
    await _call('Fetch.enable', {
      'patterns': [
        {'urlPattern': '*', 'resourceType': 'Document'},
      ],
    });
  }

  void _hear(SurfaceListener listener, String method, Map<String, Object?> event) {
    switch (method) {
      case 'Page.frameNavigated':
        final frame = event['frame']! as Map<String, Object?>;
        if (frame['parentId'] == null) _page = Uri.parse(frame['url']! as String);
      case 'Runtime.bindingCalled':
        listener.onMessage(event['payload']! as String, _page);
        _tell({'message': jsonDecode(event['payload']! as String)});
      case 'Fetch.requestPaused':
        _decide(listener, event);
    }
  }

  void _decide(SurfaceListener listener, Map<String, Object?> event) {
    final url = (event['request']! as Map<String, Object?>)['url']! as String;
    final request = {'requestId': event['requestId']};
    if (listener.onNavigation(Uri.parse(url)) == Navigation.allow) {
      unawaited(_call('Fetch.continueRequest', request));
    } else {
      _tell({'prevented': url});
      unawaited(_call('Fetch.failRequest', {...request, 'errorReason': 'Aborted'}));
    }
  }

  /// What a script answers in the page.
  Future<Object?> evaluate(String script) async {
    final answer = await _call('Runtime.evaluate', {'expression': script, 'returnByValue': true});
    return (answer['result'] as Map<String, Object?>?)?['value'];
  }

  /// Waits until it is there, and presses it.
  Future<void> press(String selector) async {
    final script =
        "(() => { if (document.readyState !== 'complete') return false;"
        'const found = document.querySelector(${jsonEncode(selector)});'
        'if (found) found.click(); return found !== null; })()';
    await _until(script);
  }

  Future<void> see(String text) =>
      _until('document.body.innerText.includes(${jsonEncode(text)})');

  Future<void> _until(String script) async {
    final clock = Stopwatch()..start();
    while (_page == null || _page?.scheme == 'about' || await evaluate(script) != true) {
      if (clock.elapsed > const Duration(seconds: 40)) throw StateError('never: $script');
      await Future<void>.delayed(const Duration(milliseconds: 20));
    }
  }

  Future<void> picture(String path) async {
    final shot = await _call('Page.captureScreenshot');
    await File(path).writeAsBytes(base64Decode(shot['data']! as String));
  }

  Future<void> close() async {
    if (!_isOpen) return;
    await _browser.call('Target.disposeBrowserContext', {'browserContextId': _context});
  }
}
