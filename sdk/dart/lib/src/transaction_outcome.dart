import 'generated/transaction_details.dart';

/// What an app asks of a payment, beside the members that the server sends.
mixin TransactionOutcome {
  String get status;
  String? get errorDescription;
  StatusDetails? get statusDetails;
  double get totalRefundAmount;
  double get tipAmount;

  TransactionStatus get kind => TransactionStatus.of(status);

  /// The money is promised: the bank or the card network has accepted the payment.
  bool get isCompleted => kind == TransactionStatus.completed;
  bool get isPending => kind == TransactionStatus.pending;
  bool get isFailed => kind == TransactionStatus.failed;
  bool get isCancelled => kind == TransactionStatus.cancelled;
  bool get isExpired => kind == TransactionStatus.expired;
  bool get isRefunded => kind == TransactionStatus.refunded || totalRefundAmount > 0;
  bool get isAwaitingAuthorization => kind == TransactionStatus.awaitingAuthorization;
  bool get isNotInitiated => kind == TransactionStatus.paymentNotInitiated;

  /// Completed, and not yet reported as booked at the merchant's bank.
  bool get isSettlementInProcess =>
      isCompleted && !_settled.contains(statusDetails?.isoStatus.code);

  bool get hasTip => tipAmount > 0;

  /// Nothing of this payment changes any more, save refunds.
  bool get isFinal => _final.contains(kind);
}

const _settled = {'ACSC', 'ACWP', 'ACCC'};

const _final = {
  TransactionStatus.completed,
  TransactionStatus.failed,
  TransactionStatus.cancelled,
  TransactionStatus.expired,
  TransactionStatus.refunded,
};
