import 'dart:io';

import 'inputs_test.dart';
import 'models_test.dart';
import 'pay_session_test.dart';
import 'server_test.dart';
import 'status_follower_test.dart';
import 'support/check.dart';

/// The folder of the tests is the argument: a compiled program does not know it.
Future<void> main(List<String> arguments) async {
  modelTests(arguments.first);
  inputTests();
  serverTests();
  statusFollowerTests();
  paySessionTests();
  if (await runTests() > 0) exitCode = 1;
}
