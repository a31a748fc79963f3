// Generated from the contract by `npm run generate`: do not edit it here.

import '../json_reader.dart';
import '../transaction_outcome.dart';

/// Of a payment. [unknown] is one that came after this version.
enum TransactionStatus {
  paymentNotInitiated('PAYMENT_NOT_INITIATED'),
  awaitingAuthorization('AWAITING_AUTHORIZATION'),
  pending('PENDING'),
  authorized('AUTHORIZED'),
  completed('COMPLETED'),
  failed('FAILED'),
  cancelled('CANCELLED'),
  expired('EXPIRED'),
  refunded('REFUNDED'),
  unknown('');

  const TransactionStatus(this.wire);

  final String wire;

  static TransactionStatus of(String text) {
    final upper = text.toUpperCase();
    return values.firstWhere((each) => each.wire == upper, orElse: () => unknown);
  }
}

final class TransactionDetails with TransactionOutcome {
  const TransactionDetails({
    required this.applicationUserId,
    required this.paidAmount,
    required this.currency,
    required this.status,
    required this.createdAt,
    required this.paymentIdempotencyId,
    this.message,
    required this.paymentRequestId,
    this.paymentId,
    this.updatedAt,
    this.bankName,
    this.bankAccountNo,
    this.notes,
    required this.taxAmount,
    required this.serviceAmount,
    required this.tipAmount,
    required this.totalRefundAmount,
    required this.refundDetails,
    this.qrId,
    this.storeId,
    this.qrNickName,
    this.errorDescription,
    required this.paymentSourceType,
    this.paymentLinkId,
    this.employeeId,
    this.pendingTrasactionError,
    required this.orderId,
    this.statusDetails,
    required this.merchantId,
    required this.merchantName,
    this.avatar,
    required this.paymentRequest,
    required this.storeDetails,
    this.institutionId,
    this.signature,
    this.signatureHash,
    required this.redirectUrlParams,
    this.redirectUrl,
  });

  factory TransactionDetails.fromJson(Map<String, Object?> json) => TransactionDetails(
    applicationUserId: readText(json, 'applicationUserId'),
    paidAmount: readNumber(json, 'paidAmount'),
    currency: readText(json, 'currency'),
    status: readText(json, 'status'),
    createdAt: readText(json, 'createdAt'),
    paymentIdempotencyId: readText(json, 'paymentIdempotencyId'),
    message: readTextOrNull(json, 'message'),
    paymentRequestId: readText(json, 'paymentRequestId'),
    paymentId: readTextOrNull(json, 'paymentId'),
    updatedAt: readTextOrNull(json, 'updatedAt'),
    bankName: readTextOrNull(json, 'bankName'),
    bankAccountNo: readTextOrNull(json, 'bankAccountNo'),
    notes: readTextOrNull(json, 'notes'),
    taxAmount: readNumber(json, 'taxAmount'),
    serviceAmount: readNumber(json, 'serviceAmount'),
    tipAmount: readNumber(json, 'tipAmount'),
    totalRefundAmount: readNumber(json, 'totalRefundAmount'),
    refundDetails: readList(json, 'refundDetails', RefundDetail.fromJson),
    qrId: readTextOrNull(json, 'qrId'),
    storeId: readTextOrNull(json, 'storeId'),
    qrNickName: readTextOrNull(json, 'qrNickName'),
    errorDescription: readTextOrNull(json, 'errorDescription'),
    paymentSourceType: readInteger(json, 'paymentSourceType'),
    paymentLinkId: readTextOrNull(json, 'paymentLinkId'),
    employeeId: readTextOrNull(json, 'employeeId'),
    pendingTrasactionError: readTextOrNull(json, 'pendingTrasactionError'),
    orderId: readText(json, 'orderId'),
    statusDetails: readObjectOrNull(json, 'statusDetails', StatusDetails.fromJson),
    merchantId: readText(json, 'merchantId'),
    merchantName: readText(json, 'merchantName'),
    avatar: readTextOrNull(json, 'avatar'),
    paymentRequest: readObject(json, 'paymentRequest', PaymentRequest.fromJson),
    storeDetails: readObject(json, 'storeDetails', StoreDetails.fromJson),
    institutionId: readTextOrNull(json, 'institutionId'),
    signature: readTextOrNull(json, 'signature'),
    signatureHash: readTextOrNull(json, 'signatureHash'),
    redirectUrlParams: readTexts(json, 'redirectUrlParams'),
    redirectUrl: readTextOrNull(json, 'redirectUrl'),
  );

  final String applicationUserId;

  /// Pounds, tip included.
  final double paidAmount;

  final String currency;

  @override
  final String status;

  final String createdAt;

  /// Empty before a payment was started.
  final String paymentIdempotencyId;

  final String? message;

  final String paymentRequestId;

  final String? paymentId;

  final String? updatedAt;

  final String? bankName;

  final String? bankAccountNo;

  final String? notes;

  final double taxAmount;

  final double serviceAmount;

  @override
  final double tipAmount;

  /// Pounds of all refunds that neither failed nor were cancelled.
  @override
  final double totalRefundAmount;

  final List<RefundDetail> refundDetails;

  final String? qrId;

  final String? storeId;

  final String? qrNickName;

  @override
  final String? errorDescription;

  final int paymentSourceType;

  final String? paymentLinkId;

  final String? employeeId;

  final String? pendingTrasactionError;

  final String orderId;

  @override
  final StatusDetails? statusDetails;

  final String merchantId;

  final String merchantName;

  final String? avatar;

  final PaymentRequest paymentRequest;

  final StoreDetails storeDetails;

  final String? institutionId;

  final String? signature;

  final String? signatureHash;

  final Map<String, String> redirectUrlParams;

  final String? redirectUrl;

  Map<String, Object?> toJson() => {
    'applicationUserId': applicationUserId,
    'paidAmount': paidAmount,
    'currency': currency,
    'status': status,
    'createdAt': createdAt,
    'paymentIdempotencyId': paymentIdempotencyId,
    if (message != null) 'message': message,
    'paymentRequestId': paymentRequestId,
    'paymentId': paymentId,
    'updatedAt': updatedAt,
    'bankName': bankName,
    'bankAccountNo': bankAccountNo,
    'notes': notes,
    'taxAmount': taxAmount,
    'serviceAmount': serviceAmount,
    'tipAmount': tipAmount,
    'totalRefundAmount': totalRefundAmount,
    'refundDetails': [for (final each in refundDetails) each.toJson()],
    'qrId': qrId,
    'storeId': storeId,
    'qrNickName': qrNickName,
    'errorDescription': errorDescription,
    'paymentSourceType': paymentSourceType,
    'paymentLinkId': paymentLinkId,
    'employeeId': employeeId,
    'pendingTrasactionError': pendingTrasactionError,
    'orderId': orderId,
    'statusDetails': statusDetails?.toJson(),
    'merchantId': merchantId,
    'merchantName': merchantName,
    'avatar': avatar,
    'paymentRequest': paymentRequest.toJson(),
    'storeDetails': storeDetails.toJson(),
    'institutionId': institutionId,
    if (signature != null) 'signature': signature,
    if (signatureHash != null) 'signatureHash': signatureHash,
    'redirectUrlParams': redirectUrlParams,
    'redirectUrl': redirectUrl,
  };
}

final class RefundDetail {
  const RefundDetail({
    required this.id,
    required this.amount,
    required this.currency,
    required this.status,
    required this.createdAt,
    required this.updatedAt,
    this.refundNotes,
    required this.refundType,
    required this.refundId,
  });

  factory RefundDetail.fromJson(Map<String, Object?> json) => RefundDetail(
    id: readText(json, 'id'),
    amount: readNumber(json, 'amount'),
    currency: readText(json, 'currency'),
    status: readText(json, 'status'),
    createdAt: readText(json, 'createdAt'),
    updatedAt: readText(json, 'updatedAt'),
    refundNotes: readTextOrNull(json, 'refundNotes'),
    refundType: readText(json, 'refundType'),
    refundId: readText(json, 'refundId'),
  );

  final String id;

  final double amount;

  final String currency;

  final String status;

  final String createdAt;

  final String updatedAt;

  final String? refundNotes;

  final String refundType;

  final String refundId;

  Map<String, Object?> toJson() => {
    'id': id,
    'amount': amount,
    'currency': currency,
    'status': status,
    'createdAt': createdAt,
    'updatedAt': updatedAt,
    'refundNotes': refundNotes,
    'refundType': refundType,
    'refundId': refundId,
  };
}

final class StatusDetails {
  const StatusDetails({
    required this.status,
    required this.statusUpdateDate,
    required this.isoStatus,
  });

  factory StatusDetails.fromJson(Map<String, Object?> json) => StatusDetails(
    status: readText(json, 'status'),
    statusUpdateDate: readText(json, 'statusUpdateDate'),
    isoStatus: readObject(json, 'isoStatus', IsoStatus.fromJson),
  );

  final String status;

  final String statusUpdateDate;

  final IsoStatus isoStatus;

  Map<String, Object?> toJson() => {
    'status': status,
    'statusUpdateDate': statusUpdateDate,
    'isoStatus': isoStatus.toJson(),
  };
}

final class IsoStatus {
  const IsoStatus({
    required this.code,
    required this.name,
  });

  factory IsoStatus.fromJson(Map<String, Object?> json) => IsoStatus(
    code: readText(json, 'code'),
    name: readText(json, 'name'),
  );

  final String code;

  final String name;

  Map<String, Object?> toJson() => {
    'code': code,
    'name': name,
  };
}

final class PaymentRequest {
  const PaymentRequest({
    required this.payee,
  });

  factory PaymentRequest.fromJson(Map<String, Object?> json) => PaymentRequest(
    payee: readObject(json, 'payee', Payee.fromJson),
  );

  final Payee payee;

  Map<String, Object?> toJson() => {
    'payee': payee.toJson(),
  };
}

final class Payee {
  const Payee({
    required this.name,
    required this.accountIdentifications,
  });

  factory Payee.fromJson(Map<String, Object?> json) => Payee(
    name: readText(json, 'name'),
    accountIdentifications: readList(json, 'accountIdentifications', AccountIdentification.fromJson),
  );

  final String name;

  final List<AccountIdentification> accountIdentifications;

  Map<String, Object?> toJson() => {
    'name': name,
    'accountIdentifications': [for (final each in accountIdentifications) each.toJson()],
  };
}

final class AccountIdentification {
  const AccountIdentification({
    required this.type,
    required this.identification,
  });

  factory AccountIdentification.fromJson(Map<String, Object?> json) => AccountIdentification(
    type: readText(json, 'type'),
    identification: readText(json, 'identification'),
  );

  final String type;

  final String identification;

  Map<String, Object?> toJson() => {
    'type': type,
    'identification': identification,
  };
}

final class StoreDetails {
  const StoreDetails({
    required this.id,
    required this.address,
    required this.locationName,
  });

  factory StoreDetails.fromJson(Map<String, Object?> json) => StoreDetails(
    id: readText(json, 'id'),
    address: readText(json, 'address'),
    locationName: readText(json, 'locationName'),
  );

  final String id;

  final String address;

  final String locationName;

  Map<String, Object?> toJson() => {
    'id': id,
    'address': address,
    'locationName': locationName,
  };
}
