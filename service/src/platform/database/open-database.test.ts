import { createServer, type Server, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openCuttingProxy } from '../../../../test/harness/database/open-cutting-proxy.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { silentLog } from '../log.ts';
import { type DatabaseSettings, openDatabase } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

type Setting = { readonly role: string; readonly seqscan: string };

const setting = sql()`select current_user::text as role, current_setting('enable_seqscan') as seqscan`;
const explained = sql()`explain (costs off) select sum(amount_pence) from ledger_entry`;

test('claims across merchants use no sequential scans, verifications may', async () => {
  const claim = statement<object, Setting>('test_claim_setting', setting);
  const verification = statement<object, Setting>('test_verification_setting', setting, {
    readsWholeTables: true,
  });
  const role = 'florin_system';
  expect(await service.database.system(claim, {})).toEqual([{ role, seqscan: 'off' }]);
  expect(await service.database.system(verification, {})).toEqual([{ role, seqscan: 'on' }]);
  const explain = statement<object, { readonly 'QUERY PLAN': string }>('test_proof', explained, {
    readsWholeTables: true,
  });
  const plan = (await service.database.system(explain, {})).map((row) => row['QUERY PLAN']);
  expect(plan.join('\n')).toContain('Seq Scan on ledger_entry');
});

const planMode = sql()`select current_setting('plan_cache_mode') as mode`;
const byValues = statement<object, { readonly mode: string }>('test_planned', planMode, {
  isPlannedPerCall: true,
});
const forAll = statement<object, { readonly mode: string }>('test_one_plan', planMode);

test('a statement is planned for its values if it says so, every other once', async () => {
  const { database, sandbox } = service;
  const modesOf = async (statements: readonly (typeof forAll)[]) => {
    const rows = statements.map((each) => database.tenant(sandbox.merchantId, each, {}));
    return (await Promise.all(rows)).map(([row]) => row?.mode);
  };
  const [custom, generic] = ['force_custom_plan', 'force_generic_plan'];
  expect(await modesOf([byValues])).toEqual([custom]);
  expect(await modesOf([forAll, byValues, forAll])).toEqual([generic, custom, generic]);
  const failing = statement<object, never>('test_planned_failing', sql()`select 1 / 0`, {
    isPlannedPerCall: true,
  });
  const failed = database.tenant(sandbox.merchantId, failing, {}).catch(() => 'failed');
  expect(await failed).toBe('failed');
  // On every connection of the pool.
  const many = Array.from({ length: 40 }, () => forAll);
  expect(new Set(await modesOf(many))).toEqual(new Set([generic]));
});

const opened = async <Found>(
  changes: Partial<DatabaseSettings>,
  use: (database: ReturnType<typeof openDatabase>) => Promise<Found>,
): Promise<Found> => {
  const database = openDatabase(
    {
      connectionString: service.databaseUrl,
      tenantConnections: 4,
      systemConnections: 4,
      applicationName: 'limits',
      ...changes,
    },
    silentLog,
  );
  try {
    return await use(database);
  } finally {
    await database.close();
  }
};

// As poolers do: a number of their own for the process, no settings, or their own.
const otherProcess = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf(Buffer.from('K\0\0\0\x0c'));
  if (at >= 0) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1, at + 5);
  return bytes;
};
const startupVersion = 196_608;
const isStartup = (bytes: Buffer): boolean =>
  bytes.length > 8 && bytes.readInt32BE(4) === startupVersion;
const withoutOptions = (bytes: Buffer): Buffer => {
  if (!isStartup(bytes)) return bytes;
  const words = bytes.subarray(8).toString().split('\0');
  words.splice(words.indexOf('options'), 2);
  const rest = Buffer.from(words.join('\0'));
  const head = Buffer.from(bytes.subarray(0, 8));
  head.writeInt32BE(head.length + rest.length, 0);
  return Buffer.concat([head, rest]);
};
const longerTimeout = (bytes: Buffer): Buffer =>
  isStartup(bytes)
    ? Buffer.from(bytes.toString('latin1').replace('timeout=8500', 'timeout=9500'), 'latin1')
    : bytes;

test.each([
  ['of a pooler', { fromServer: otherProcess }, /A pooler stands before PostgreSQL/],
  ['as the owner', { fromProgram: withoutOptions }, /as .+ instead of florin_(tenant|system)/],
  ['with another limit', { fromProgram: longerTimeout }, /statement_timeout 9500 instead of 8500/],
])('a session %s is refused with a sentence', async (_, changes, sentence) => {
  const proxy = await openCuttingProxy();
  const connectionString = await proxy.connectThrough(service.databaseUrl);
  proxy.change(changes);
  const { merchantId } = service.sandbox;
  await opened({ connectionString }, async (database) => {
    await expect(database.system(forAll, {})).rejects.toThrow(sentence);
    await expect(database.tenant(merchantId, forAll, {})).rejects.toThrow(sentence);
  });
  proxy.change({ fromProgram: (bytes) => bytes, fromServer: (bytes) => bytes });
  await opened({ connectionString }, async (database) => {
    expect(await database.tenant(merchantId, forAll, {})).toHaveLength(1);
  });
  proxy.close();
});

describe('a limit that is set', () => {
  const sleep = statement<object, never>('test_sleep', sql()`select pg_sleep(20)`);
  const failsWithinMs = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await expect(work()).rejects.toThrow(/^database unavailable/);
    return performance.now() - startedAt;
  };

  test('ends a statement', async () => {
    const { merchantId } = service.sandbox;
    await opened({ queryMs: 1_200 }, async (database) => {
      expect(await failsWithinMs(() => database.tenant(merchantId, sleep, {}))).toBeLessThan(3_000);
      expect(await failsWithinMs(() => database.system(sleep, {}))).toBeLessThan(3_000);
    });
  });

  test('does not end one that may take minutes', async () => {
    const sum = statement<object, never>('test_long_sleep', sql()`select pg_sleep(1.5)`, {
      mayTakeMinutes: true,
    });
    await opened({ queryMs: 1_200 }, async (database) => {
      expect(await database.system(sum, {})).toHaveLength(1);
    });
    await opened({ longQueryMs: 1_200 }, async (database) => {
      expect(await failsWithinMs(() => database.system(sum, {}))).toBeLessThan(3_000);
    });
  });

  test('ends the wait for a connection', async () => {
    // It accepts and says nothing, as a host that has vanished behind a proxy.
    const silent = await new Promise<Server>((resolve) => {
      const server = createServer(() => undefined);
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
    const { port } = silent.address() as { readonly port: number };
    const connectionString = `postgresql://florin@127.0.0.1:${port}/florin`;
    await opened({ connectMs: 300, connectionString }, async (database) => {
      expect(await failsWithinMs(() => database.system(sleep, {}))).toBeLessThan(3_000);
    });
    silent.close();
  });

  test('bounds the connections', async () => {
    const count = statement<object, { readonly pid: number }>(
      'test_pid',
      sql()`select pg_backend_pid() as pid, pg_sleep(0.02)`,
    );
    const pids = await opened({ systemConnections: 2 }, async (database) =>
      Promise.all(Array.from({ length: 12 }, () => database.system(count, {}))),
    );
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(2);
  });

  test('is the pause before a quiet connection is checked', async () => {
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    await opened({ keepAliveMs: 7_000 }, (database) => database.system(forAll, {}));
    expect(keepAlive.mock.calls).toEqual([[true, 7_000]]);
    keepAlive.mockRestore();
  });
});
