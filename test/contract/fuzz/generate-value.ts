import type { Random } from '../../simulation/seeded-random.ts';
import { hostileValue } from './hostile.ts';

/** A schema of the contract, as far as values are drawn from it. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type KnownId = { readonly name: string; readonly id: string };

/** `known` holds ids of earlier replies, so that drawn ids often exist. */
export type Source = { readonly random: Random; readonly known: readonly KnownId[] };

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Valid for the most part: a value that is all noise is rejected early and tries nothing. */
export const generateValue = (schema: Schema, source: Source, name = ''): unknown => {
  const { random } = source;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return generateValue(random.pick(schema.anyOf), source, name);
  const types = [schema.type ?? 'object'].flat();
  const isNull = types.length > 1 && types.includes('null') && random.chance(0.1);
  const others = types.filter((each) => each !== 'null');
  const type = isNull || others.length === 0 ? 'null' : random.pick(others);
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return numberFor(schema, source, name);
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () =>
        generateValue(schema.items ?? {}, source, name),
      );
    case 'object':
      return objectFor(schema, source);
    default:
      return textFor(schema, source, name);
  }
};

const objectFor = (schema: Schema, source: Source): object => {
  const { random } = source;
  const members = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name) || random.chance(0.2))
    .map(([name, member]) => [name, generateValue(member, source, name)] as const);
  const [free] = Object.values(schema.patternProperties ?? {});
  const more = free
    ? Array.from({ length: random.below(3) }, (_, at) => [`k${at}`, generateValue(free, source)])
    : [];
  return Object.fromEntries([...members, ...more]);
};

const numberFor = (schema: Schema, { random }: Source, name: string): number => {
  if (name === 'advanceMs') return random.below(1_000);
  if (/amount|pounds|tip/i.test(name)) return (100 + random.below(3_000)) / 100;
  const min = schema.minimum ?? 0;
  const max = Math.min(schema.maximum ?? 100, min + 1_000);
  return random.pick([min, max, min + random.below(max - min + 1)]);
};

const textFor = (schema: Schema, source: Source, name: string): string => {
  const { random } = source;
  if (schema.format === 'uuid' || (/(?<!institution)id$/i.test(name) && random.chance(0.7)))
    return idFor(source, name);
  if (schema.format === 'date-time') return random.pick(moments);
  const fitting = texts.find(([names]) => names.test(name));
  if (fitting) return random.pick(fitting[1]);
  const length = (schema.minLength ?? 0) + random.below(12);
  return [...'x1 é-Z🙂.0ß٣'.repeat(4)]
    .slice(0, Math.min(length, schema.maxLength ?? length))
    .join('');
};

const otherNames: Readonly<Record<string, string>> = { data: 'paymentRequestId' };

/** Mostly of the same name, sometimes of another kind. */
const idFor = ({ random, known }: Source, name: string): string => {
  const same = known.filter((each) => each.name === (otherNames[name] ?? name));
  const drawn = same.length > 0 && random.chance(0.8) ? same : known;
  return drawn.length === 0 || random.chance(0.05) ? unknownId : random.pick(drawn).id;
};

/** The last four: as the format allows, and no calendar. */
const moments = [
  '2026-01-01T00:00:00Z',
  '2026-11-21T10:00:00.123456+01:00',
  '0000-01-01T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-11-21T10:00:00+23:59',
  '0001-01-01T00:00:00+23:59',
] as const;

const texts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^institutionId$/, ['mock-sandbox-v1', 'mock-sandbox-v1', 'other-bank', 'no-bank']],
  [/date$/i, ['2026-01-01', '2026-12-31', '2026-11-21T10:00:00.000Z', '1999-02-29']],
  [/email/i, ['ada@example.com', 'eve@example.com', 'no address']],
  [
    /url$/i,
    [
      'https://shop.example/a?b=c',
      'http://localhost:9/x',
      'com.example.shop://back',
      '',
      'nothing',
    ],
  ],
  [/phoneCountryCode/, ['44', '1', '+44']],
  [/phoneNumber/, ['7700900123', '', '07 700', '+44 (0)7700 900123']],
  [/postcode/, ['E1 6RF', 'SW1A1AA']],
  [/vatNumber/, ['GB123456789', '123456789', '12']],
  [/^(env|environment)$/, ['sandbox', 'production', 'SANDBOX', 'mars']],
  [/amount/i, ['1', '12.50', '30', '0.5', '1e3']],
  [/expiresIn/, ['1', '180000', '86400000']],
];

/** One member of a value, at any depth, holds a value that does not belong there. */
export const spoil = (value: unknown, random: Random): unknown => {
  if (typeof value !== 'object' || value === null || random.chance(0.15))
    return hostileValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, hostileValue(random)];
    const at = random.below(value.length);
    return value.map((each, index) => (index === at ? spoil(each, random) : each));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(strangeNames)]: hostileValue(random) };
  const at = random.below(entries.length);
  if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([name, each], index) => [name, index === at ? spoil(each, random) : each]),
  );
};

const strangeNames = ['', '__proto__', 'constructor', 'toString', 'then', 'ключ', '$1', 'a.b', '0'];
