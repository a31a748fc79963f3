import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../../contract/operations.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator();
});
afterAll(() => service.close());

const personal = {
  email: 'zebedee@quill.example',
  digits: '66374958',
  phone: '442079460958',
  name: 'Zebedee Quill',
} as const;

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** In every place of a body something about a person: as text where it is accepted, else as a number. */
const about = (schema: Schema, asNumbers: boolean): unknown => {
  const [first] = schema.anyOf ?? [];
  if (first) return about(first, asNumbers);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, about(each, asNumbers)]),
    );
  if (schema.items) return [about(schema.items, asNumbers)];
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 25;
  return asNumbers ? Number(personal.phone) : textFor(schema);
};

const textFor = ({ format, pattern = '' }: Schema): string => {
  if (format === 'email') return personal.email;
  if (format === 'uuid') return service.tools.ids.uuid();
  if (format === 'date-time') return '2099-01-01T00:00:00Z';
  const fits = Object.values(personal).find((each) => new RegExp(pattern, 'u').test(each));
  return fits ?? fitting(pattern) ?? personal.name;
};

const fitting = (pattern: string): string | undefined =>
  ['107999', '5499', '#7a3e1d', `https://quill.example/${personal.digits}`].find((each) =>
    new RegExp(pattern, 'u').test(each),
  );

const ofOperators = operations.filter(({ access }) => access === 'operator');

test('whatever an operator sends, nothing about a person stands in the audit record', async () => {
  const { merchantId } = service.merchant;
  const recorded = new Set<string>();
  for (const operation of ofOperators)
    for (const asNumbers of [false, true]) {
      const path = operation.path
        .replace(':merchantId', merchantId)
        .replace(':environment', 'sandbox')
        .replace(/:\w+/g, () => (asNumbers ? personal.digits : service.tools.ids.uuid()));
      const body = operation.body && about(operation.body as Schema, asNumbers);
      const { secret } = service;
      await service.request(operation.method, path, {
        ...{ secret, ...(body ? { body: body as object } : {}) },
      });
    }
  const rows = await service.rows<{ action: string; text: string }>(
    'select action, r::text as text from audit_record r',
  );
  for (const { action } of rows) recorded.add(action);
  const held = rows.filter(({ text }) =>
    [...Object.values(personal), '107999', 'quill', 'Zebedee'].some((each) => text.includes(each)),
  );
  expect(held).toEqual([]);
  expect(ofOperators.filter(({ id }) => !recorded.has(id))).toEqual([]);
  // What is refused by the schema leaves no detail: of these the input was taken.
  for (const [action, name] of taken)
    expect(rows.find((row) => row.action === action && row.text.includes(name))).toBeDefined();
});

const taken = [
  ['createMerchant', 'bankAccounts'],
  ['createMerchantSecret', 'webOrigins'],
  ['createMerchantStore', 'bankAccount'],
  ['suspendMerchant', 'reason'],
] as const;
