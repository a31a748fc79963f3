import type { TSchema } from 'typebox';
import { eventBodies } from './event-bodies.ts';
import { failures } from './failures.ts';
import { type Descriptions, openApiPath } from './openapi.ts';
import type { ApiAccess, Operation } from './operation.ts';
import { failuresOf } from './operations.ts';
import { replyExample } from './published/examples.ts';
import { requestCode } from './published/request-code.ts';
import { sampleValue } from './published/sample-value.ts';
import { apiAccess, inReadingOrder, tagOf, tags } from './published/tags.ts';

type Field = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: { readonly [name: string]: Field };
  readonly required?: readonly string[];
  readonly integerToo?: true;
};

const accessWords = {
  secret: 'an access secret',
  sandboxSecret: 'a sandbox access secret',
  optionalSecret: 'an access secret, or none',
  open: 'anyone',
  operator: 'an operator secret',
} as const satisfies Record<ApiAccess, string>;

/** The page of a rule, as the reference links to it. */
type RulePages = ReadonlyMap<string, string>;

/** The reference for people, as Markdown. */
export const reference = (
  operations: readonly Operation[],
  descriptions: Descriptions,
  rulePages: RulePages,
): string => {
  const byTag = new Map<string, Operation[]>();
  for (const operation of inReadingOrder(operations))
    byTag.set(tagOf(operation), [...(byTag.get(tagOf(operation)) ?? []), operation]);
  const chapters = Object.entries(tags).map(([tag, about]) =>
    [
      `## ${tag}`,
      about,
      ...(byTag.get(tag) ?? []).map((each) => chapter(each, descriptions[each.id], rulePages)),
    ].join('\n\n'),
  );
  return [heading, ...chapters, eventsChapter(), failureTable].join('\n\n').concat('\n');
};

const heading = `<!-- Generated from contract/ by npm run generate: do not edit it here. -->

# API reference

Bodies are JSON. Times are ISO 8601 in UTC. Every reply has \`x-request-id\`; every success is 200.
An error is \`{name, message, status, errors}\`, where \`errors\` lists \`{field, message}\`.
A field with a question mark may be left out; in a body it may also be null.
Operations marked *idempotent* take the header \`Idempotency-Key\`.`;

const failureTable = [
  '## Failures',
  [
    '| name | status | meaning |',
    '|---|---|---|',
    ...Object.values(failures).map((each) => `| ${each.name} | ${each.status} | ${each.message} |`),
  ].join('\n'),
].join('\n\n');

const eventsChapter = (): string =>
  [
    '## events',
    'What your endpoints receive, as JSON. Amounts of PAYMENTS_STATUS are text, all others numbers.',
    ...Object.entries(eventBodies).flatMap(([type, body]) => [
      `### ${type}`,
      `The body of ${type}.`,
      ...fieldTable('Body', body),
      fence('json', JSON.stringify(sampleValue(body, { onlyRequired: true }), null, 2)),
    ]),
  ].join('\n\n');

const ruleLink = (rulePages: RulePages, rule: string): string => {
  const page = rulePages.get(rule);
  if (!page) throw new Error(`${rule} is not a rule of docs/rules`);
  return `[${rule}](../rules/${page}#${rule.toLowerCase()})`;
};

const chapter = (
  operation: Operation,
  description: string | undefined,
  rulePages: RulePages,
): string => {
  const { method, summary, rules, idempotent, params, query, body, reply } = operation;
  const key = idempotent ? ' · *idempotent*' : '';
  const names = failuresOf(operation).map((id) => failures[id].name);
  const links = rules.map((rule) => ruleLink(rulePages, rule)).join(', ');
  return [
    `### ${method} ${openApiPath(operation)}`,
    `${summary}${description ? ` ${description}` : ''}`,
    `\`${operation.id}\` · for ${accessWords[apiAccess(operation)]} · ${links}${key}`,
    ...fieldTable('Path', params),
    ...fieldTable('Query', query),
    ...fieldTable(operation.bodyOptional ? 'Body (may be left out)' : 'Body', body),
    ...fieldTable('Reply', reply),
    ...requestCode(operation).map(({ language, code }) => fence(language, code)),
    fence('json', JSON.stringify(replyExample(operation), null, 2)),
    `Fails with ${names.join(', ')}.`,
  ].join('\n\n');
};

const fence = (language: string, text: string): string =>
  ['```'.concat(language), text, '```'].join('\n');

const fieldTable = (title: string, schema: TSchema | undefined): readonly string[] => {
  if (!schema) return [];
  const rows = fieldRows('', schema as Field);
  if (rows.length === 0) return [];
  return [[`| ${title} | type | meaning |`, '|---|---|---|', ...rows].join('\n')];
};

const fieldRows = (prefix: string, field: Field): readonly string[] => {
  if (field.items) return fieldRows(`${prefix}[]`, field.items);
  return Object.entries(field.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const isOptional = !field.required?.includes(name) || member.default !== undefined;
    const row = `| ${path}${isOptional ? '?' : ''} | ${typeWords(member)} | ${meaning(member)} |`;
    return [row, ...fieldRows(path, member)];
  });
};

const meaning = ({ description = '', default: preset }: Field): string => {
  const words = preset === undefined ? [description] : [description, `Default ${preset}.`];
  return words.filter((each) => each !== '').join(' ');
};

const typeWords = (field: Field): string => {
  if (field.enum) return field.enum.map(String).join(', ');
  if (field.anyOf) return field.anyOf.map(typeWords).join(' or ');
  const types = [field.type ?? 'anything', field.integerToo ? 'integer' : []].flat();
  const [first, ...rest] = types;
  const named = first === 'string' && field.format ? field.format : String(first);
  if (first === 'array') return `list of ${field.items ? typeWords(field.items) : 'anything'}`;
  return [named, ...rest].join(' or ');
};
