import 'dart:async';

import 'package:florin_core/florin_core.dart';
import 'package:flutter/material.dart';
import 'package:webview_flutter/webview_flutter.dart';

/// The hosted page in the platform's web view. It never leaves the server's origin.
final class WebViewSurface implements CheckoutSurface {
  WebViewSurface({required this.onOpened});

  final VoidCallback onOpened;
  final WebViewController controller = WebViewController();
  bool isOpen = false;
  SurfaceListener? _listener;

  /// Messages are handed on in their order, each with the address that the view shows.
  Future<void> _last = Future.value();

  @override
  Future<void> open(Uri address, SurfaceListener listener) async {
    if (!isOpen) {
      _listener = listener;
      await controller.setJavaScriptMode(JavaScriptMode.unrestricted);
      await controller.setNavigationDelegate(
        NavigationDelegate(onNavigationRequest: _decide, onWebResourceError: _tellError),
      );
      await controller.addJavaScriptChannel(bridgeName, onMessageReceived: _receive);
      isOpen = true;
      onOpened();
    }
    await controller.loadRequest(address);
  }

  NavigationDecision _decide(NavigationRequest request) {
    // The page has no frames: what asks for one is not ours.
    if (!request.isMainFrame) return NavigationDecision.prevent;
    final target = Uri.tryParse(request.url);
    if (target == null) return NavigationDecision.prevent;
    return switch (_listener?.onNavigation(target)) {
      Navigation.allow => NavigationDecision.navigate,
      Navigation.prevent || null => NavigationDecision.prevent,
    };
  }

  void _tellError(WebResourceError error) {
    if (!(error.isForMainFrame ?? false) || _stopped.contains(error.errorCode)) return;
    _listener?.onLoadFailed(error.description);
  }

  void _receive(JavaScriptMessage message) {
    _last = _last.then((_) async {
      final url = await controller.currentUrl();
      _listener?.onMessage(message.message, url == null ? null : Uri.tryParse(url));
    });
  }
}

/// iOS reports a load that we prevented, or that another one replaced, as an error too.
const _stopped = {102, -999};
