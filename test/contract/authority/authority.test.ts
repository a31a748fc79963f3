import { afterAll, beforeAll, expect, test } from 'vitest';
import { authority, notReached } from './authority.ts';
import { everyOperation } from './every-operation.ts';
import { findTrespasses } from './find-trespasses.ts';
import type { Actor } from './may-call.ts';
import { type Authority, openAuthority } from './open-authority.ts';

// The one who may do most of each kind; every role, and all of them in production, are in the long run.

let opened: Authority;
const done = new Set<string>();
beforeAll(async () => {
  opened = await openAuthority();
});
afterAll(() => opened.close());

const changing = everyOperation
  .filter(({ method }) => method !== 'GET')
  .map(({ id }) => id)
  .sort();

test('every operation that may change something has a row of the table', () => {
  expect([...Object.keys(authority), ...notReached].sort()).toEqual([...changing].sort());
});

const inSandbox: readonly Actor[] = ['owner', 'secret', 'operator', 'anybody'];
const inProduction: readonly Actor[] = ['owner'];
const callers = [
  ...inSandbox.map((actor) => ({ actor, environment: 'SANDBOX' }) as const),
  ...inProduction.map((actor) => ({ actor, environment: 'PRODUCTION' }) as const),
];

test.each(callers)(
  'in $environment $actor changes what the table says',
  { timeout: 120_000 },
  async (caller) => {
    const called = await opened.callEach(caller.actor, caller.environment);
    for (const { operation, status } of called) if (status === 200) done.add(operation.id);
    expect(called.flatMap((each) => findTrespasses(caller, each.operation, each))).toEqual([]);
    expect(called.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  },
);

test('every operation was called with effect, but those that need what no call makes', () => {
  expect(changing.filter((id) => !done.has(id))).toEqual([...notReached].sort());
});
