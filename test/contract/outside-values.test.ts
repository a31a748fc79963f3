import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnfitText } from '../harness/find-unfit-text.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { outsideValues } from '../harness/outside-values.ts';
import { type Authority, type InputsOf, openAuthority } from './authority/open-authority.ts';

// npm run test:long has every value in every place, the short run one in each.
const each = isLongRun ? outsideValues.length : 1;

let opened: Authority;
beforeAll(async () => {
  opened = await openAuthority();
});
// Fails if a card number was stored.
afterAll(() => opened.close());

type Schema = {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

type Place = { readonly path: readonly string[]; readonly isNumber: boolean };

/** Every text, date and number of a schema; of a list its first member. */
const placesOf = (schema: Schema | undefined, path: readonly string[] = []): readonly Place[] => {
  if (schema?.anyOf) return schema.anyOf.flatMap((one) => placesOf(one, path));
  if (schema?.items) return placesOf(schema.items, [...path, '0']);
  if (schema?.properties)
    return Object.entries(schema.properties).flatMap(([name, one]) =>
      placesOf(one, [...path, name]),
    );
  const types = [schema?.type].flat();
  if (path.length === 0 || types.includes('boolean')) return [];
  return [{ path, isNumber: types.includes('number') || types.includes('integer') }];
};

const numbers = [0, -1, 0.001, 1e18, 1.234_567_890_123_457e18, -0.01, 9_999_999_999_999.99];

let turn = 0;
const drawn = ({ isNumber }: Place): readonly unknown[] =>
  Array.from({ length: each }, () => {
    turn += 1;
    return isNumber ? numbers[turn % numbers.length] : outsideValues[turn % outsideValues.length];
  });

const withValue = (given: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  if (name === '0') return [withValue(Array.isArray(given) ? given[0] : {}, rest, value)];
  const before = (given ?? {}) as Readonly<Record<string, unknown>>;
  return { ...before, [name]: withValue(before[name], rest, value) };
};

const inputsOf: InputsOf = ({ id, query, body }, own) => {
  if (id === 'advanceSandboxClock') return [];
  const inBody = placesOf(body as Schema | undefined).flatMap((place) =>
    drawn(place).map((value) => ({
      place: `${place.path.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`,
      ...{ body: withValue(own, place.path, value), query: '' },
    })),
  );
  const inQuery = placesOf(query as Schema | undefined).flatMap((place) =>
    drawn(place).map((value) => ({
      place: `?${place.path.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`,
      ...{ body: own, query: `?${place.path[0]}=${encodeURIComponent(addressText(value))}` },
    })),
  );
  return [...inBody, ...inQuery];
};

/** An address has no halves of characters, and an end. */
const addressText = (value: unknown): string =>
  String(value)
    .replace(/\p{Cs}/gu, '')
    .slice(0, 2_000);

const callers = ['owner', 'operator', 'anybody'] as const;
// An owner calls in the dashboard what a secret may call, and more.
test.each(isLongRun ? (['secret', ...callers] as const) : callers)(
  'whatever %s writes into any text, date or number of an operation, nothing fails here',
  { timeout: 90_000 * each },
  async (actor) => {
    expect(await opened.tryEach(actor, inputsOf)).toEqual([]);
  },
);

test('after that no column holds what the rules forbid', async () => {
  expect(await findUnfitText(await opened.connect())).toEqual([]);
});

test('after that nothing is stuck', async () => {
  const { status, text } = await opened.askAsOperator('/api/operator/stuck-work');
  expect([status, JSON.parse(text).data]).toEqual([200, []]);
});
