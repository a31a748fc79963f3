import {
  embedMessages,
  embedProtocol,
  getTransaction,
  transactionStatuses,
} from '@florin/contract';
import { type DartClass, writeClass } from './write-dart-class.ts';
import { dartVectors } from './write-dart-vectors.ts';

const head = `// Generated from the contract by \`npm run generate\`: do not edit it here.\n`;

/** The models of the mobile SDK, and vectors that every one of them must read and write. */
export const dartModels = (): ReadonlyMap<string, string> =>
  new Map([
    ['sdk/dart/lib/src/generated/transaction_details.dart', transactionDetails()],
    ['sdk/dart/lib/src/generated/embed_message.dart', messages()],
    ['sdk/dart/test/generated/vectors.json', `${JSON.stringify(dartVectors(), null, 2)}\n`],
  ]);

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const camelCase = (constant: string) =>
  constant.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const transactionDetails = (): string => {
  const classes: DartClass[] = [];
  const main = writeClass(
    { name: 'TransactionDetails', schema: getTransaction.reply, mixin: 'TransactionOutcome' },
    classes,
  );
  return [
    head,
    `import '../json_reader.dart';\nimport '../transaction_outcome.dart';\n`,
    statusEnum(),
    main,
    ...classes.map((each) => writeClass(each, [])),
  ].join('\n');
};

const statusEnum = (): string =>
  [
    '/// Of a payment. [unknown] is one that came after this version.',
    'enum TransactionStatus {',
    ...transactionStatuses.map((each) => `  ${camelCase(each)}('${each}'),`),
    `  unknown('');`,
    '',
    '  const TransactionStatus(this.wire);',
    '',
    '  final String wire;',
    '',
    '  static TransactionStatus of(String text) {',
    '    final upper = text.toUpperCase();',
    '    return values.firstWhere((each) => each.wire == upper, orElse: () => unknown);',
    '  }',
    '}\n',
  ].join('\n');

const messages = (): string =>
  [
    head,
    `import '../json_reader.dart';\n`,
    '/// The version of the protocol that this package speaks.',
    `const embedProtocol = ${embedProtocol};\n`,
    '/// What the hosted page says to the app around it.',
    'sealed class EmbedMessage {',
    '  const EmbedMessage();',
    '',
    '  /// Null for a type that came after this version.',
    "  static EmbedMessage? fromJson(Map<String, Object?> json) => switch (json['type']) {",
    ...Object.keys(embedMessages).map(
      (type) => `    '${type}' => Embed${upperFirst(type)}.fromJson(json),`,
    ),
    '    _ => null,',
    '  };',
    '',
    '  int get florin;',
    '  String get nonce;',
    '  Map<String, Object?> toJson();',
    '}\n',
    ...Object.entries(embedMessages).map(([type, schema]) =>
      writeClass({ name: `Embed${upperFirst(type)}`, schema, parent: 'EmbedMessage' }, []),
    ),
  ].join('\n');
