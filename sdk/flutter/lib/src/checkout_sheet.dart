import 'dart:async';

import 'package:florin_core/florin_core.dart';
import 'package:flutter/material.dart';
import 'package:webview_flutter/webview_flutter.dart';

import 'app_ports.dart';
import 'web_view_surface.dart';

/// Opens the sheet, and waits for the answer of its session.
Future<TransactionDetails?> showCheckoutSheet(
  BuildContext context,
  FlorinServer server,
  PayRequest request,
  PayCallbacks callbacks,
) {
  final answer = Completer<TransactionDetails?>();
  unawaited(
    showModalBottomSheet<void>(
      context: context,
      isScrollControlled: true,
      isDismissible: false,
      enableDrag: false,
      useSafeArea: true,
      builder:
          (_) => CheckoutSheet(
            server: server,
            request: request,
            callbacks: callbacks,
            onAnswer: answer.complete,
          ),
    ),
  );
  return answer.future;
}

class CheckoutSheet extends StatefulWidget {
  const CheckoutSheet({
    super.key,
    required this.server,
    required this.request,
    required this.callbacks,
    required this.onAnswer,
  });

  final FlorinServer server;
  final PayRequest request;
  final PayCallbacks callbacks;
  final void Function(TransactionDetails? details) onAnswer;

  @override
  State<CheckoutSheet> createState() => _CheckoutSheetState();
}

class _CheckoutSheetState extends State<CheckoutSheet> implements SheetHost {
  bool _isGone = false;
  final _lifecycle = WidgetsLifecycle();
  late final WebViewSurface _surface = WebViewSurface(onOpened: () => setState(() {}));
  late final PaySession _session = PaySession(
    server: widget.server,
    request: widget.request,
    callbacks: widget.callbacks,
    ports: PayPorts(
      surface: _surface,
      launcher: const UrlLauncher(),
      lifecycle: _lifecycle,
      sheet: this,
    ),
  );

  @override
  void initState() {
    super.initState();
    unawaited(_session.run().then(widget.onAnswer));
  }

  @override
  void dispose() {
    // The app itself may have removed the sheet.
    _isGone = true;
    _session.close();
    _lifecycle.dispose();
    super.dispose();
  }

  /// Of the session: it has ended.
  @override
  void close() {
    if (_isGone) return;
    final route = ModalRoute.of(context);
    final navigator = Navigator.of(context);
    // The app may have opened a page of its own over the sheet.
    if (route == null || route.isCurrent) return navigator.pop();
    navigator.removeRoute(route);
  }

  @override
  Widget build(BuildContext context) => PopScope(
    canPop: false,
    onPopInvokedWithResult: (didPop, _) {
      if (!didPop) _session.close();
    },
    child: SizedBox(
      height: MediaQuery.sizeOf(context).height * 0.94,
      child: Column(
        children: [
          Align(
            alignment: AlignmentDirectional.centerEnd,
            child: IconButton(
              icon: const Icon(Icons.close),
              tooltip: MaterialLocalizations.of(context).closeButtonTooltip,
              onPressed: _session.close,
            ),
          ),
          Expanded(
            child:
                _surface.isOpen
                    ? WebViewWidget(controller: _surface.controller)
                    : const Center(child: CircularProgressIndicator()),
          ),
        ],
      ),
    ),
  );
}
