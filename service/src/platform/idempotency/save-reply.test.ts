import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import { saveReply } from './save-reply.ts';
import { idempotencyStore } from './store.ts';

const operation = 'advanceSandboxClock';
const bodySha256 = createHash('sha256').update('body').digest();
const short = { forMs: 400, renewedEveryMs: 50 };
const inUse = { message: expect.stringContaining('still running') };

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const saved = () => saveReply(idempotencyStore(service.database), short);
const run = (key: string, execute: Parameters<ReturnType<typeof saved>>[3]) =>
  saved()(service.sandbox, operation, { key, bodySha256 }, execute);

const readLease = statement<{ key: string }, { readonly leased_until: Date | null }>(
  'test_read_key',
  sql('key')`select leased_until from idempotency where idempotency_key = :key`,
);
const leasedUntil = async (key: string): Promise<number> =>
  (await service.database.system(readLease, { key }))[0]?.leased_until?.getTime() ?? 0;

const pending = () => {
  let release: (answer: string) => void = () => undefined;
  const answer = new Promise<string>((resolve) => {
    release = resolve;
  });
  return { answer, release };
};

/** As a program that is killed while it runs an operation leaves the key. */
const die = async (key: string, forMs: number, intent?: string): Promise<void> => {
  const store = idempotencyStore(service.database);
  const claim = await store.claim(service.sandbox, operation, { key, bodySha256 }, forMs);
  if (intent !== undefined) await claim?.decide(intent);
};

test('a database that does not answer is waited for once', async () => {
  const store = idempotencyStore(service.database);
  const silent: typeof store = {
    ...store,
    claim: async (...values) => {
      const claim = await store.claim(...values);
      return claim && { ...claim, interrupt: () => new Promise(() => undefined) };
    },
  };
  const gone = new DatabaseUnavailable(new Error('gone'));
  const requested = { key: 'silent', bodySha256 };
  const call = saveReply(silent, short)(service.sandbox, operation, requested, async () => {
    throw gone;
  });
  await expect(call).rejects.toBe(gone);
  // Nobody renews its lease: the same call goes on soon.
  await waitUntil(() => run('silent', async () => '{}').catch(() => undefined));
});

test('a lease is renewed for as long as the operation runs, so it runs once', async () => {
  const work = pending();
  let runs = 0;
  const execute = () => {
    runs += 1;
    return work.answer;
  };
  const first = run('long', execute);
  const begun = await waitUntil(async () => (await leasedUntil('long')) || undefined);
  // Well after the first lease would have run out.
  await waitUntil(async () => (await leasedUntil('long')) > begun + 3 * short.forMs);
  await expect(run('long', execute)).rejects.toMatchObject(inUse);
  work.release('{"done":true}');
  expect(await first).toBe('{"done":true}');
  expect(runs).toBe(1);
  const again = await run('long', execute);
  expect(again).toEqual({ replayed: { statusCode: 200, reply: '{"done":true}' } });
});

test('the key of a program that died is free when Retry-After says so', async () => {
  await die('died', 9_500);
  const error = { ...inUse, retryAfterSeconds: 10 };
  await expect(run('died', async () => '{}')).rejects.toMatchObject(error);
  await die('soon', 300);
  expect(await waitUntil(() => run('soon', async () => '{}').catch(() => undefined))).toBe('{}');
});

test('who takes over goes on with what was decided', async () => {
  await die('decided', 1, 'the first');
  const reply = () =>
    run('decided', async (decideOnce) => decideOnce(async () => 'another')).catch(() => undefined);
  expect(await waitUntil(reply)).toBe('the first');
});

test('what may have been done in part is kept, and the same body goes on at once', async () => {
  const failing = run('part', async (decideOnce) => {
    await decideOnce(async () => 'the first');
    throw new Error('the connection was lost');
  });
  await expect(failing).rejects.toThrow('the connection was lost');
  const again = await run('part', async (decideOnce) => decideOnce(async () => 'another'));
  expect(again).toBe('the first');
});

test('a claim that was taken over writes no reply', async () => {
  const [slow, quick] = [pending(), pending()];
  const store = idempotencyStore(service.database);
  const never = { forMs: 1, renewedEveryMs: 3_600_000 };
  const frozen = saveReply(store, never);
  const requested = { key: 'over', bodySha256 };
  let isClaimed = false;
  const first = frozen(service.sandbox, operation, requested, () => {
    isClaimed = true;
    return slow.answer;
  });
  await waitUntil(() => isClaimed);
  let isTaken = false;
  const second = waitUntil(() =>
    run('over', () => {
      isTaken = true;
      return quick.answer;
    }).catch(() => undefined),
  );
  await waitUntil(() => isTaken);
  slow.release('"first"');
  await first;
  quick.release('"second"');
  expect(await second).toBe('"second"');
  expect(await run('over', async () => '"third"')).toEqual({
    replayed: { statusCode: 200, reply: '"second"' },
  });
});
