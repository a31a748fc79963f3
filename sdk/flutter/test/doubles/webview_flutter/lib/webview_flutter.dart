/// A double of webview_flutter: it loads nothing, and a test plays the page.
library;

import 'package:flutter/widgets.dart';

enum JavaScriptMode { disabled, unrestricted }

enum NavigationDecision { prevent, navigate }

class NavigationRequest {
  const NavigationRequest({required this.url, required this.isMainFrame});
  final String url;
  final bool isMainFrame;
}

class WebResourceError {
  const WebResourceError({required this.errorCode, required this.description, this.isForMainFrame});
  final int errorCode;
  final String description;
  final bool? isForMainFrame;
}

class JavaScriptMessage {
  const JavaScriptMessage({required this.message});
  final String message;
}

class NavigationDelegate {
  NavigationDelegate({this.onNavigationRequest, this.onWebResourceError});
  final NavigationDecision Function(NavigationRequest request)? onNavigationRequest;
  final void Function(WebResourceError error)? onWebResourceError;
}

class WebViewController {
  WebViewController() {
    last = this;
  }

  /// Of the double: the one that was made last.
  static WebViewController? last;

  JavaScriptMode mode = JavaScriptMode.disabled;
  NavigationDelegate? delegate;
  final channels = <String, void Function(JavaScriptMessage)>{};
  final loaded = <Uri>[];
  String? shown;

  Future<void> setJavaScriptMode(JavaScriptMode javaScriptMode) async => mode = javaScriptMode;
  Future<void> setNavigationDelegate(NavigationDelegate delegate) async =>
      this.delegate = delegate;
  Future<void> addJavaScriptChannel(
    String name, {
    required void Function(JavaScriptMessage) onMessageReceived,
  }) async => channels[name] = onMessageReceived;
  Future<void> loadRequest(Uri uri) async {
    loaded.add(uri);
    shown = '$uri';
  }

  Future<String?> currentUrl() async => shown;
}

class WebViewWidget extends Widget {
  const WebViewWidget({super.key, required this.controller});
  final WebViewController controller;
}
