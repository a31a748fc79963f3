import 'dart:async';
import 'dart:convert';

import 'package:florin/florin.dart';
import 'package:florin_example/main.dart' as example;
import 'package:flutter/material.dart';
import 'package:url_launcher/url_launcher.dart';
import 'package:webview_flutter/webview_flutter.dart';

import '../../dart/test/support/check.dart';
import '../../dart/test/support/details.dart';
import '../../dart/test/support/fake_server.dart';

const _describe = 'POST /api/payments/get-payment-details';
const _status = 'GET /api/payments/payment-status/01JD0XAMPLE0';

/// The package on doubles of Flutter: the sheet, the web view's decisions, and what opens outside.
void florinTests() {
  Future<void> withApp(Future<void> Function(FakeServer server, NavigatorState app) run) async {
    final server = await FakeServer.open();
    server.answer(_describe, [const FakeAnswer(200, {'env': 'SANDBOX'})]);
    server.answer(_status, [FakeAnswer(200, detailsOf('AWAITING_AUTHORIZATION'))]);
    Florin.configure(server: server.address);
    launches.clear();
    answerLaunch = (_, _) async => true;
    try {
      await run(server, NavigatorState());
    } finally {
      await server.close();
    }
  }

  Future<TransactionDetails?> pay(
    NavigatorState app, {
    OnError? onError,
    OnUserClose? onUserClose,
  }) => Florin.pay(
    BuildContext(app, locale: app.locale),
    env: Env.sandbox,
    paymentId: requestId,
    showHowPaymentWorks: false,
    onError: onError,
    onUserClose: onUserClose,
  );

  Future<WebViewController> shown() async {
    final before = WebViewController.last;
    await until(
      () => WebViewController.last != before || (WebViewController.last?.loaded ?? []).isNotEmpty,
    );
    await until(() => WebViewController.last!.loaded.isNotEmpty, 'the page');
    return WebViewController.last!;
  }

  void say(WebViewController view, Map<String, Object?> message) {
    final nonce = view.loaded.last.fragment.split('.').last;
    final text = jsonEncode({'florin': 1, 'nonce': nonce, ...message});
    view.channels['FlorinBridge']!(JavaScriptMessage(message: text));
  }

  const started = {
    'type': 'status',
    'status': 'AWAITING_AUTHORIZATION',
    'paymentIdempotencyId': '01JD0XAMPLE0',
  };

  test('flutter: pays, with the bank outside, and the sheet goes', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final answer = pay(app);
      expect(app.routes.length, 1);
      expect(app.routes.last.shown.whereType<CircularProgressIndicator>().length, 1);
      final view = await shown();
      expect(app.routes.last.find<WebViewWidget>().controller, view);
      expect([view.mode, view.loaded.last.queryParameters['locale']], [JavaScriptMode.unrestricted, 'cy']);
      say(view, started);
      say(view, {'type': 'openExternal', 'url': 'https://bank.example/authorise'});
      await until(() => launches.isNotEmpty);
      expect(launches, [
        (Uri.parse('https://bank.example/authorise'), LaunchMode.externalNonBrowserApplication),
      ]);
      server.answer(_status, [FakeAnswer(200, detailsOf('COMPLETED'))]);
      expect((await answer)?.isCompleted, true);
      expect(app.routes.length, 0);
      expect(WidgetsBinding.instance.observers.length, 0);
    });
  });

  test('flutter: a bank without its app opens in the browser', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      answerLaunch = (_, mode) async {
        if (mode == LaunchMode.externalNonBrowserApplication) throw Exception('no app');
        return true;
      };
      final answer = pay(app);
      final view = await shown();
      say(view, {'type': 'openExternal', 'url': 'https://bank.example/authorise'});
      await until(() => launches.length == 2);
      expect(launches.last.$2, LaunchMode.externalApplication);
      app.goBack();
      await answer;
    });
  });

  test('flutter: the close button and the back button dismiss; only one payment is open', () async {
    await withApp((server, app) async {
      for (final press in [
        () => app.routes.last.find<IconButton>().onPressed!(),
        app.goBack,
      ]) {
        WebViewController.last = null;
        final answer = pay(app);
        await shown();
        final errors = <PayException>[];
        expect(await pay(app, onError: errors.add), null);
        expect(errors.single.type, PayErrorType.alreadyOpen);
        press();
        expect(await answer, null);
        expect(app.routes.length, 0);
      }
    });
  });

  test('flutter: the sheet goes where another page is over it, or the app removes it', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final answer = pay(app);
      await shown();
      final sheet = app.routes.last;
      final over = app.push((_) => const Text('over'));
      sheet.find<IconButton>().onPressed!();
      expect(await answer, null);
      expect(app.routes, [over]);

      WebViewController.last = null;
      final closed = <String>[];
      final other = pay(
        app,
        onUserClose:
            ({required paymentRequestId, redirectUrlParams, signature, signatureHash}) =>
                closed.add(paymentRequestId),
      );
      say(await shown(), started);
      await until(() => server.count('/api/payments/payment-status/01JD0XAMPLE0') > 0);
      app.pop();
      await other;
      expect([closed, app.routes], [
        [requestId],
        [over],
      ]);
    });
  });

  test('flutter: the view stays on the origin, and frames are refused', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final answer = pay(app);
      final view = await shown();
      NavigationDecision decide(String url, {bool isMainFrame = true}) =>
          view.delegate!.onNavigationRequest!(NavigationRequest(url: url, isMainFrame: isMainFrame));
      expect(decide('${server.address}/pay?x=1'), NavigationDecision.navigate);
      expect(decide('${server.address}/pay', isMainFrame: false), NavigationDecision.prevent);
      expect(decide('http://['), NavigationDecision.prevent);
      expect(decide('https://elsewhere.example/'), NavigationDecision.prevent);
      await until(() => launches.isNotEmpty);
      view.shown = 'https://elsewhere.example/';
      say(view, {'type': 'openExternal', 'url': 'https://bank.example/'});
      view.shown = null;
      say(view, {'type': 'openExternal', 'url': 'https://bank.example/'});
      await Future<void>.delayed(const Duration(milliseconds: 10));
      expect(launches.length, 1);
      app.goBack();
      await answer;
    });
  });

  test('flutter: a page that does not load is told; what we stopped is not', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final errors = <PayException>[];
      final answer = pay(app, onError: errors.add);
      final view = await shown();
      void fail(int code, {bool? isForMainFrame}) => view.delegate!.onWebResourceError!(
        WebResourceError(errorCode: code, description: 'x', isForMainFrame: isForMainFrame),
      );
      fail(-999, isForMainFrame: true);
      fail(-2, isForMainFrame: false);
      fail(-2);
      expect(errors.length, 0);
      fail(-2, isForMainFrame: true);
      expect(errors.single.type, PayErrorType.page);
      app.goBack();
      await answer;
    });
  });

  test('flutter: the status rests while the app is hidden, and is read when it is back', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final answer = pay(app);
      say(await shown(), started);
      int reads() => server.count('/api/payments/payment-status/01JD0XAMPLE0');
      await until(() => reads() == 1);
      for (final state in [AppLifecycleState.inactive, AppLifecycleState.hidden, AppLifecycleState.paused]) {
        WidgetsBinding.instance.say(state);
      }
      server.answer(_status, [FakeAnswer(200, detailsOf('COMPLETED'))]);
      WidgetsBinding.instance.say(AppLifecycleState.resumed);
      await until(() => reads() == 2);
      expect((await answer)?.isCompleted, true);
    });
  });

  test('flutter: another server ends the payment that is followed', () async {
    await withApp((server, app) async {
      WebViewController.last = null;
      final errors = <PayException>[];
      final answer = pay(app, onError: errors.add);
      say(await shown(), started);
      await until(() => server.count('/api/payments/payment-status/01JD0XAMPLE0') > 0);
      Florin.configure(server: server.address);
      await answer;
      expect([for (final each in errors) each.type], [PayErrorType.closed]);
      expect(app.routes.length, 0);
    });
  });

  test('flutter: the example app pays for what its shop requested', () async {
    await withApp((server, app) async {
      server.answer('POST /payments', [
        const FakeAnswer(200, {'paymentRequestId': requestId}),
      ]);
      WebViewController.last = null;
      final route = app.push((_) => example.ShopPage(shop: server.address));
      route.find<FilledButton>().onPressed!();
      await shown();
      app.goBack();
      await until(() => route.shown.whereType<Text>().any((text) => text.data == 'Not paid'));
    });
  });
}
