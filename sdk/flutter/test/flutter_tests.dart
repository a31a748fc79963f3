import 'dart:io';

import '../../dart/test/support/check.dart';
import 'florin_test.dart';

Future<void> main() async {
  florinTests();
  if (await runTests() > 0) exitCode = 1;
}
