import 'dart:async';

import 'package:florin_core/florin_core.dart';
import 'package:flutter/material.dart';

import 'checkout_sheet.dart';

abstract final class Florin {
  static FlorinServer? _server;
  static bool _isOpen = false;

  /// The address of the server that created the payment request. Once, before the first [pay].
  static void configure({required Uri server}) {
    final before = _server;
    _server = FlorinServer(server);
    before?.close();
  }

  /// Shows the payment on a sheet and answers how it stands when the sheet closes; null when the payer
  /// dismissed it before a payment was started, or when nothing could be shown: then [onError] was called.
  ///
  /// Hand goods over when your own server has read the status or verified the signature, not because an
  /// app says so.
  static Future<TransactionDetails?> pay(
    BuildContext context, {
    required Env env,
    required String paymentId,
    required bool showHowPaymentWorks,
    CustomerDetails? customerDetails,
    OnError? onError,
    OnPaymentStatusChange? onPaymentStatusChange,
    OnUserClose? onUserClose,
  }) async {
    final server = _server;
    if (server == null) throw StateError('Call Florin.configure(server: …) before Florin.pay.');
    final callbacks = PayCallbacks(
      onError: onError,
      onPaymentStatusChange: onPaymentStatusChange,
      onUserClose: onUserClose,
    );
    if (_isOpen) {
      const says = 'One payment is open already: wait for its answer.';
      callbacks.tellError(const PayException(PayErrorType.alreadyOpen, says));
      return null;
    }
    _isOpen = true;
    final request = PayRequest(
      env: env,
      paymentId: paymentId,
      showHowPaymentWorks: showHowPaymentWorks,
      customerDetails: customerDetails,
      locale: Localizations.maybeLocaleOf(context)?.languageCode,
    );
    try {
      return await showCheckoutSheet(context, server, request, callbacks);
    } finally {
      _isOpen = false;
    }
  }
}
