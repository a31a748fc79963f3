import '../../dart/test/core_tests.dart' as core_tests;
import '../../flutter/test/flutter_tests.dart' as flutter_tests;
import 'api_shape.dart' as api_shape;
import 'payer.dart' as payer;

/// One compiled program for all tests: the first argument says which one runs.
Future<void> main(List<String> arguments) {
  final [name, ...others] = arguments;
  return switch (name) {
    'core-tests' => core_tests.main(others),
    'api-shape' => api_shape.main(),
    'flutter-tests' => flutter_tests.main(),
    'payer' => payer.main(others),
    _ => throw ArgumentError.value(name, 'name', 'is no program'),
  };
}
