import type { Unusual } from '@florin/contract';
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FieldError } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { londonDay } from '#kernel/london-day.ts';
import { pointAdvice } from '#kernel/pence.ts';

/** What is read of the contract's schemas here. */
export type SchemaPart = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaPart[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly items?: SchemaPart;
  readonly integerToo?: true;
  readonly emptyMeansAbsent?: true;
  readonly dateTimeToo?: true;
  readonly unusual?: Unusual;
};

type Take = (value: unknown) => unknown;
type Members = Readonly<Record<string, unknown>>;

/**
 * A reader of valid input that takes what its schema declares and nothing else (WIRE-2). A map takes
 * the names of its pattern; free-form is only what the schema calls so.
 */
export const takeDeclared = (schema: object | undefined): Take =>
  schema ? (takeOf(schema as SchemaPart) ?? same) : () => undefined;

const same: Take = (value) => value;

/** Null: the value is taken as it is. */
const takeOf = (part: SchemaPart): Take | null => {
  const { anyOf, items, properties, patternProperties, additionalProperties } = part;
  if (anyOf) return takeOfOneBranch(anyOf);
  if (items) return takeItems(takeOf(items));
  if (patternProperties) return takeMap(patternProperties);
  const isObject = properties !== undefined || [part.type].flat().includes('object');
  return isObject && !additionalProperties ? takeMembers(properties ?? {}) : null;
};

const takeOfOneBranch = (branches: readonly SchemaPart[]): Take | null => {
  const [take = null, ...others] = branches.map(takeOf).filter((each) => each !== null);
  if (others.length > 0) throw new Error('a schema may name one kind of object in a place');
  return take;
};

const takeItems = (take: Take | null): Take | null =>
  take && ((value) => (Array.isArray(value) ? value.map(take) : value));

const takeMembers = (properties: Readonly<Record<string, SchemaPart>>): Take => {
  const declared = Object.entries(properties).map(([name, part]) => [name, takeOf(part)] as const);
  return (value) => {
    if (!isObject(value)) return value;
    const taken: Record<string, unknown> = {};
    for (const [name, take] of declared)
      if (Object.hasOwn(value, name)) taken[name] = take ? take(value[name]) : value[name];
    return taken;
  };
};

const takeMap = (patterns: Readonly<Record<string, SchemaPart>>): Take => {
  const declared = Object.entries(patterns).map(
    ([pattern, part]) => [new RegExp(pattern, 'u'), takeOf(part) ?? same] as const,
  );
  return (value) => {
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([name, each]) => {
      const [, take] = declared.find(([pattern]) => pattern.test(name)) ?? [];
      return take ? [[name, take(each)] as const] : [];
    });
    return Object.fromEntries(members);
  };
};

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Rewrites what `acceptedSchema` of the contract accepts to what its handler reads (WIRE-3). Objects are
 * changed in place; undefined: the value is absent.
 */
const normaliseInput = (part: SchemaPart, value: unknown): unknown => {
  if (value === '' && part.emptyMeansAbsent) return takesNull(part) ? null : undefined;
  if (part.integerToo && Number.isSafeInteger(value)) return String(value);
  if (part.dateTimeToo && typeof value === 'string') return dayOf(value);
  if (Array.isArray(value) && part.items) normaliseItems(part.items, value);
  else if (typeof value === 'object' && value !== null) normaliseMembers(part, value);
  return value;
};

const normaliseItems = (part: SchemaPart, items: unknown[]): void => {
  for (const [at, item] of items.entries()) items[at] = normaliseInput(part, item);
};

const normaliseMembers = (part: SchemaPart, value: object): void => {
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = partOf(part, name);
    if (!member) continue;
    const written = isAbsent(part, member, name, members[name])
      ? undefined
      : normaliseInput(member, members[name]);
    if (written === undefined) delete members[name];
    else members[name] = written;
  }
};

const partOf = (
  { properties, patternProperties }: SchemaPart,
  name: string,
): SchemaPart | undefined => {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return patternProperties && Object.values(patternProperties)[0];
};

/** When null has a meaning of its own, the schema names it. */
const isAbsent = (part: SchemaPart, member: SchemaPart, name: string, value: unknown): boolean =>
  value === null && !part.required?.includes(name) && !takesNull(member);

const takesNull = ({ type, enum: values, anyOf }: SchemaPart): boolean =>
  type === undefined ? !anyOf && (values?.includes(null) ?? true) : [type].flat().includes('null');

const dateTime = /^(\d{4}-\d\d-\d\d)T[\d:.]+(Z|[+-]\d\d:?\d\d)?$/i;

const dayOf = (text: string): string => {
  const [, day, zone] = dateTime.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return text;
  if (zone === undefined) return day;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? text : londonDay(instant);
};

/** Date reads 30 February as 2 March. */
const isDay = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
};

const common = {
  allErrors: true,
  verbose: true,
  strict: false,
  removeAdditional: false,
  useDefaults: true,
  // That ours are schemas is tested (test/contract/operations.test.ts).
  validateSchema: false,
} as const;
// 1e400 is read as a number that JSON has no way to write down again: it is refused.
const bodyAjv = new Ajv({ ...common, coerceTypes: false, strictNumbers: true });
// A query is text by nature; its numbers and booleans are read from it.
const queryAjv = new Ajv({ ...common, coerceTypes: true });
// The usual format also accepts "urn:uuid:…", which none of our ids is and PostgreSQL rejects.
for (const ajv of [bodyAjv, queryAjv])
  addFormats
    .default(ajv, ['email', 'date', 'date-time', 'uri'])
    .addFormat('uuid', { validate: isUuid });

export type HttpPart = 'body' | 'query' | 'params';

/** Compiled at the first call and kept by Ajv: all schemas take 0.33 s of CPU, at each start. */
export const compileValidator = (part: HttpPart, schema: object) => {
  const ajv = part === 'body' ? bodyAjv : queryAjv;
  return (value: unknown): readonly FieldError[] => {
    const validate = ajv.compile(schema);
    normaliseInput(schema, value);
    return validate(value) ? [] : fieldErrors(validate.errors ?? []);
  };
};

const fieldErrors = (errors: readonly ErrorObject[]): readonly FieldError[] => {
  const byField = new Map<string, FieldError>();
  for (const error of errors) {
    const field = fieldOf(error);
    if (error.keyword === 'anyOf' && byField.has(field)) continue;
    if (!byField.has(field)) byField.set(field, { field, message: sentence(field, error) });
  }
  return [...byField.values()];
};

const fieldOf = (error: ErrorObject): string => {
  const path = error.instancePath
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  return path.length === 0 ? 'body' : path.join('.');
};

type Words = (params: Record<string, unknown>, sent: unknown) => string;

const words: Record<string, Words> = {
  required: () => 'is required',
  type: ({ type }, sent) =>
    `must be ${[type].flat().map(article).join(' or ')}${type === 'number' ? pointAdvice(sent) : ''}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  minItems: ({ limit }) => `must hold at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
  maxItems: ({ limit }) => `must hold at most ${limit} items`,
  maxProperties: ({ limit }) => `must hold at most ${limit} members`,
  uniqueItems: () => 'must not hold the same item twice',
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().join(', ')}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  format: ({ format }) => `must be a valid ${format === 'uuid' ? 'UUID' : String(format)}`,
};

const article = (type: unknown): string =>
  ({ integer: 'a whole number', object: 'an object', array: 'an array', null: 'null' })[
    String(type)
  ] ?? `a ${String(type)}`;

const sentence = (field: string, error: ErrorObject): string => {
  const described = (error.parentSchema as { errorMessage?: string } | undefined)?.errorMessage;
  if (described && error.keyword === 'pattern') return `${field} ${described}`;
  return `${field} ${words[error.keyword]?.(error.params, error.data) ?? 'is not valid'}`;
};
