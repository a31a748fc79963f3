import 'dart:convert';
import 'dart:io';
import 'dart:mirrors';

import 'package:florin/florin.dart';

/// The public API as the compiler sees it, in JSON.
Future<void> main() async {
  final library = currentMirrorSystem().libraries[Uri.parse('package:florin/florin.dart')]!;
  final pay = reflectClass(Florin).declarations[#pay]! as MethodMirror;
  final parameters = {
    for (final each in pay.parameters.skip(1))
      _name(each): {
        'type': _name(each.type),
        ..._callback(each.type),
      },
  };
  stdout.writeln(
    jsonEncode({
      'pay': parameters,
      'answer': '${pay.returnType.reflectedType}',
      'env': [for (final each in Env.values) each.name],
      'customerDetails': _fields(CustomerDetails),
      'hasIsCompleted': _hasGetter(TransactionDetails, #isCompleted),
      'paymentIdempotencyId': _fields(TransactionDetails).contains('paymentIdempotencyId'),
      'own': [
        for (final each in library.declarations.keys) MirrorSystem.getName(each),
        for (final dependency in library.libraryDependencies)
          if (dependency.isExport)
            for (final combinator in dependency.combinators)
              for (final name in combinator.identifiers) MirrorSystem.getName(name),
      ],
    }),
  );
}

String _name(DeclarationMirror mirror) => MirrorSystem.getName(mirror.simpleName);

Map<String, Object?> _callback(TypeMirror type) {
  final function = type is TypedefMirror ? type.referent : type;
  if (function is! FunctionTypeMirror) return const {};
  return {
    'parameters': [for (final each in function.parameters) _name(each)],
  };
}

List<String> _fields(Type type) => [
  for (final each in reflectClass(type).declarations.values)
    if (each is VariableMirror && !each.isStatic && !each.isPrivate) _name(each),
];

bool _hasGetter(Type type, Symbol name) {
  ClassMirror? mirror = reflectClass(type);
  while (mirror != null) {
    for (final source in [mirror, mirror.mixin]) {
      if (source.declarations[name] is MethodMirror) return true;
    }
    mirror = mirror.superclass;
  }
  return false;
}
