/// Why a payment could not be shown or followed.
enum PayErrorType {
  /// An input of `pay` is wrong; see the message.
  invalidInput,

  /// `pay` was called while another one is open.
  alreadyOpen,

  /// There is no payment request with this id.
  notFound,

  /// The payment request belongs to the other environment.
  wrongEnvironment,
  alreadyPaid,
  expired,
  cancelled,

  /// The merchant takes no payments at the moment.
  suspended,

  /// No connection, or no answer in time. The payer may try again.
  network,

  /// The server answered, but not with what this package understands.
  server,

  /// The page could not be loaded, or it reported an error.
  page,

  /// Neither the bank's app nor a browser could be opened.
  cannotOpenBank,

  /// The app closed the client, or configured another server, before the payment was over.
  closed,
}

/// Given to `onError`.
final class PayException implements Exception {
  const PayException(this.type, this.message, {this.amount, this.referenceId, this.time});

  final PayErrorType type;

  /// For the developer, in English: not to be shown to the payer.
  final String message;

  /// Of a request that is over: its amount in pounds, the id of its payment, and when it ended.
  final double? amount;
  final String? referenceId;
  final String? time;

  @override
  String toString() => 'PayException(${type.name}): $message';
}
