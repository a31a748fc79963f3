import 'dart:async';

import 'generated/transaction_details.dart';
import 'pay_exception.dart';

typedef OnError = void Function(PayException error);

/// Once for each change. The signatures come with COMPLETED: give them to your backend, which checks them.
typedef OnPaymentStatusChange =
    void Function({
      required TransactionStatus status,
      Map<String, String>? redirectUrlParams,
      String? signature,
      String? signatureHash,
    });

/// The payer closed the sheet after a payment had been started.
typedef OnUserClose =
    void Function({
      required String paymentRequestId,
      Map<String, String>? redirectUrlParams,
      String? signature,
      String? signatureHash,
    });

/// Of one call of `pay`. What a callback throws is the app's own failure and stops no payment.
final class PayCallbacks {
  const PayCallbacks({this.onError, this.onPaymentStatusChange, this.onUserClose});

  final OnError? onError;
  final OnPaymentStatusChange? onPaymentStatusChange;
  final OnUserClose? onUserClose;

  void tellError(PayException error) => _guarded(() => onError?.call(error));

  void tellStatus(TransactionDetails details) => _guarded(
    () => onPaymentStatusChange?.call(
      status: details.kind,
      redirectUrlParams: details.redirectUrlParams,
      signature: details.signature,
      signatureHash: details.signatureHash,
    ),
  );

  void tellClose(String paymentRequestId, TransactionDetails? details) => _guarded(
    () => onUserClose?.call(
      paymentRequestId: paymentRequestId,
      redirectUrlParams: details?.redirectUrlParams,
      signature: details?.signature,
      signatureHash: details?.signatureHash,
    ),
  );
}

void _guarded(void Function() call) {
  try {
    call();
  } catch (error, stack) {
    Zone.current.handleUncaughtError(error, stack);
  }
}
