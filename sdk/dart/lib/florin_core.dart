/// The logic of Florin's mobile SDK: everything but what a payer sees.
library;

export 'src/bridge.dart';
export 'src/checkout_address.dart';
export 'src/customer_details.dart';
export 'src/env.dart';
export 'src/external_address.dart';
export 'src/florin_server.dart';
export 'src/generated/embed_message.dart';
export 'src/generated/transaction_details.dart';
export 'src/json_reader.dart' show UnexpectedJson;
export 'src/merchant_redirect.dart';
export 'src/pay_callbacks.dart';
export 'src/pay_exception.dart';
export 'src/pay_session.dart';
export 'src/ports.dart';
export 'src/status_follower.dart';
export 'src/transaction_outcome.dart';
