import 'dart:async';

import 'package:florin_core/florin_core.dart';
import 'package:flutter/widgets.dart';
import 'package:url_launcher/url_launcher.dart';

/// Opens banks and links outside. A bank's app that claims its web address comes before the browser.
final class UrlLauncher implements ExternalLauncher {
  const UrlLauncher();

  /// Reads the settings of the app's manifest: without them every answer is false.
  @override
  Future<bool> canOpen(Uri address) => canLaunchUrl(address);

  @override
  Future<bool> open(Uri address) async {
    if (isOfTheWeb(address) && await _launch(address, LaunchMode.externalNonBrowserApplication)) {
      return true;
    }
    return _launch(address, LaunchMode.externalApplication);
  }

  /// Platforms answer false or throw when nothing opens an address.
  Future<bool> _launch(Uri address, LaunchMode mode) async {
    try {
      return await launchUrl(address, mode: mode);
    } on Exception {
      return false;
    }
  }
}

/// Whether the payer sees the app, as Flutter tells it.
final class WidgetsLifecycle with WidgetsBindingObserver implements AppLifecycle {
  WidgetsLifecycle() {
    WidgetsBinding.instance.addObserver(this);
  }

  final _changes = StreamController<bool>.broadcast();

  /// Before the first word of the system the app is there: it has just been pressed.
  @override
  bool isForeground = true;

  @override
  Stream<bool> get foregroundChanges => _changes.stream;

  /// `inactive` is a call or the list of apps over ours: the payer is still there.
  @override
  void didChangeAppLifecycleState(AppLifecycleState state) {
    final isThere = state == AppLifecycleState.resumed || state == AppLifecycleState.inactive;
    if (isThere == isForeground) return;
    isForeground = isThere;
    _changes.add(isThere);
  }

  void dispose() {
    WidgetsBinding.instance.removeObserver(this);
    unawaited(_changes.close());
  }
}
