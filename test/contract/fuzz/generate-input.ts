import { limits } from '@florin/contract';
import { acceptedSchema } from '../../../contract/accepted-schema.ts';
import type { Operation } from '../../../contract/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { generateValue, type Schema, type Source, spoil } from './generate-value.ts';
import { hostileAddressPart, hostileMedia, hostileText } from './hostile.ts';
import type { Sent } from './send.ts';

export type Secrets = {
  readonly SANDBOX: string;
  readonly PRODUCTION: string;
  readonly OPERATOR: string;
};
export type Input = { readonly operation: Operation; readonly sent: Sent };

/** Drawn more often than others: the daily calls of a page, an app or a till. */
const often = new Set([
  'requestPayment',
  'getPaymentStatus',
  'searchTransactions',
  'getPaymentDetails',
  'securePaymentAuth',
  'getTransaction',
  'getTransactionV2',
  'getSdkTransaction',
  'getSdkPaymentStatus',
  'listCustomerInstitutions',
  'listSdkInstitutions',
  'payInSandbox',
]);

export const generateInput = (
  urn: readonly Operation[],
  source: Source,
  secrets: Secrets,
): Input => {
  const { random } = source;
  const operation = random.pick(urn);
  const { method } = operation;
  const path = pathOf(operation, source) + queryOf(operation, source);
  const readsBody = operation.body || (method !== 'GET' && random.chance(0.2));
  const body = readsBody ? bodyOf(operation, source) : null;
  const headers = {
    ...authorization(operation, source, secrets),
    ...(body === null ? {} : { 'content-type': mediaOf(source) }),
    ...(random.chance(0.1) ? { 'idempotency-key': random.pick(keys) } : {}),
  };
  return { operation, sent: { method, path, headers, body } };
};
const urnOf = (drawn: readonly Operation[]): readonly Operation[] =>
  drawn.flatMap((operation) =>
    Array.from({ length: often.has(operation.id) ? 4 : 1 }, () => operation),
  );

/** Moving the clock runs due work for all merchants, so it runs alone. */
const movesTime = 'advanceSandboxClock';
const alone = new Set([movesTime, 'requestPayment', 'payInSandbox', 'getPaymentStatus']);
/** An operator may close what other operations need, so it has a merchant to itself. */
const isOperators = ({ access }: Operation): boolean => access === 'operator';
export const urns = {
  together: urnOf(operations.filter((each) => each.id !== movesTime && !isOperators(each))),
  operator: urnOf(operations.filter(isOperators)),
  alone: urnOf(operations.filter(({ id }) => alone.has(id))),
} as const;

const keys = ['key-1', 'key-2', 'key-3', 'x'.repeat(255), 'x'.repeat(256), 'é', 'a b'];

const pathOf = ({ path, params }: Operation, source: Source): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    if (source.random.chance(0.15)) return hostileAddressPart(source.random);
    const schema = (params as Schema | undefined)?.properties?.[name] ?? { type: 'string' };
    return encodeURIComponent(String(generateValue(schema, source, name)));
  });

const queryOf = ({ query }: Operation, source: Source): string => {
  const { random } = source;
  if (!query) return random.chance(0.05) ? `?a=${hostileAddressPart(random)}` : '';
  const drawn = generateValue(query as Schema, source) as Readonly<Record<string, unknown>>;
  const parts = Object.entries(drawn).flatMap(([name, value]) => {
    if (random.chance(0.1)) return [`${name}=${hostileAddressPart(random)}`];
    const part = `${name}=${encodeURIComponent(String(value))}`;
    if (random.chance(0.04)) return [part, part];
    return random.chance(0.04) ? [part.replace('=', random.pick(['[]=', '[a]=', '']))] : [part];
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

const bodyOf = ({ body, bodyOptional }: Operation, source: Source): string | null => {
  const { random } = source;
  if (random.chance(bodyOptional ? 0.2 : 0.02)) return null;
  let value: unknown = generateValue(body ? (acceptedSchema(body) as Schema) : {}, source);
  if (random.chance(0.5)) value = spoil(value, random);
  if (random.chance(0.1)) value = spoil(value, random);
  value = withoutYears(value);
  const text = JSON.stringify(value) ?? '';
  return random.chance(0.12) ? hostileText(text, random) : text;
};

// A clock moved by a year takes thousands of steps: tests of time cover it.
const withoutYears = (value: unknown): unknown => {
  const { advanceMs } = (value ?? {}) as { readonly advanceMs?: unknown };
  const isLong = typeof advanceMs === 'number' && advanceMs > 1_000;
  return isLong && advanceMs <= limits.clockAdvanceMsMax
    ? { ...(value as object), advanceMs: advanceMs % 1_000 }
    : value;
};

const mediaOf = ({ random }: Source): string =>
  random.chance(0.05) ? hostileMedia(random) : 'application/json';

const authorization = (
  { access }: Operation,
  { random }: Source,
  secrets: Secrets,
): Readonly<Record<string, string>> => {
  if (access === 'open' || (access === 'optionalSecret' && random.chance(0.4))) return {};
  if (random.chance(0.06)) return {};
  const wrong = ['Bearer', 'Bearer ', 'Basic eDp4', 'x', `Bearer ${'x'.repeat(5_000)}`];
  if (random.chance(0.04)) return { authorization: random.pick(wrong) };
  if (access === 'operator') return { authorization: `Bearer ${secrets.OPERATOR}` };
  const secret = random.chance(0.06) ? secrets.PRODUCTION : secrets.SANDBOX;
  return { authorization: `Bearer ${secret}` };
};
