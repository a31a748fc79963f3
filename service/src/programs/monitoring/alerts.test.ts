import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCertificate } from '#platform/certificates.ts';
import { countRequests } from '#platform/http/log-requests.ts';
import { metrics } from '#platform/metrics.ts';
import { followDatabase } from '../../../../test/harness/database/follow-database.ts';
import { firing, readSeries, type Series } from '../../../../test/harness/firing-alerts.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { type Alert, alerts } from '../../../../tools/describe/alerts.ts';
import { numbersUsed } from '../../../../tools/describe/write-monitoring.ts';
import { watchBankHolidays } from '../../modules/payouts/watch-accounts.ts';
import { transferJobs, transferRails } from '../../modules/transfers/index.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { openIso20022, standardTemplate } from '../../rails/iso20022/index.ts';
import { anyFolder } from '../../rails/iso20022/test/any-folder.ts';
import { watchHealth } from '../../rails/open-banking-uk/bank/watch-health.ts';
import { warnOfClock } from '../wiring/warn-of-clock.ts';
import { openObserver } from './observe.ts';

/** Files of one process share its registry: the last look of an earlier one is no state of this service. */
const forgetEarlierFiles = (): void => {
  for (const [, gauge = ''] of metrics.text().matchAll(/^# TYPE (\w+) gauge$/gm))
    metrics.clear(gauge);
};

let service: TestService;
beforeAll(async () => {
  forgetEarlierFiles();
  service = await openTestService();
});
afterAll(async () => {
  await Promise.all(following.map(({ end }) => end()));
  await service.close();
});

/** As the first look of a program that has just started. */
const look = async (tools = service.tools): Promise<readonly Series[]> => {
  await openObserver(tools)();
  return readSeries(metrics.text());
};

const write = (text: string) =>
  service.tools.database.system(statement(`test_${text.length}`, sql()`${text}`), {});

const asOwner = async (text: string): Promise<void> => {
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  await owner.query(text).finally(() => owner.end());
};

const verify = (ago: string, broken: string) =>
  write(`insert into ledger_verification
    (verified_at, unbalanced_transactions, totals, snapshots_differ, took_ms, broken_invariants)
    values (clock_timestamp() - interval '${ago}', 0, '{}', 0, 1, '${broken}')`);

const report = (pence: number, ago: string) =>
  write(`insert into bank_balance
    (environment, balance_pence, reported_at, difference_pence, reconciled_at)
    values ('PRODUCTION', 0, now(), ${pence}, now() - interval '${ago}')
    on conflict (environment) do update set difference_pence = excluded.difference_pence,
      reconciled_at = excluded.reconciled_at`);

const openCase = (subject: string, ago: string) =>
  write(`insert into operator_case
    (merchant_id, environment, kind, subject, description, opened_at)
    values ('${service.merchant.merchantId}', 'PRODUCTION', 'REFUND_OVERDUE', '${subject}',
      'made by a test', now() - interval '${ago}')`);

const following: Awaited<ReturnType<typeof followDatabase>>[] = [];
const follow = async () => {
  const standby = await followDatabase(service.databaseUrl);
  following.push(standby);
  return standby;
};
const standbysOf = (series: readonly Series[]): number =>
  series.find(({ name }) => name === 'florin_database_standbys')?.value ?? 0;

const certificateFor = (days: number): Broken => {
  const endsIn = (of: number) => {
    const at = new Date(service.tools.clock.now().getTime() + of * 86_400_000);
    noteCertificate({ certificate: 'client', of: 'test' }, at.toUTCString());
  };
  endsIn(days);
  return { mend: async () => endsIn(400) };
};

type Broken = {
  /** Where a day's most is meant. */
  readonly earlier?: readonly Series[];
  readonly mend?: () => Promise<unknown>;
  readonly tools?: typeof service.tools;
  /** Where it shows for a moment only. */
  readonly seen?: readonly Series[];
};

const breaks: Readonly<Record<(typeof alerts)[number]['name'], () => Promise<Broken>>> = {
  FlorinBooksNotVerified: async () => {
    await verify('3 days', '[]');
    return { mend: () => verify('1 minute', '[]') };
  },
  FlorinBooksDiffer: async () => {
    await verify('30 seconds', '[{}]');
    return { mend: () => verify('0 seconds', '[]') };
  },
  FlorinAccountDiffers: async () => {
    await report(100, '1 minute');
    return { mend: () => report(0, '1 minute') };
  },
  FlorinAccountLacksMoney: async () => {
    await report(-1, '1 minute');
    return { mend: () => report(0, '1 minute') };
  },
  FlorinAccountNotReconciled: async () => {
    await report(0, '3 days');
    return { mend: () => report(0, '1 minute') };
  },
  FlorinCaseWaits: async () => {
    await openCase('test', '2 days');
    return {
      mend: () =>
        write(`update operator_case set status = 'RESOLVED', resolution = 'test',
          resolved_at = now(), reported_at = now() where subject = 'test'`),
    };
  },
  FlorinWorkWaits: async () => {
    await openCase('late', '10 minutes');
    return { mend: () => write(`update operator_case set reported_at = now()`) };
  },
  FlorinNotObserved: async () => {
    await asOwner('alter table florin.failed_job rename to not_there');
    return { mend: () => asOwner('alter table florin.not_there rename to failed_job') };
  },
  FlorinMerchantPaused: async () => {
    await asOwner(`with other as (insert into florin.cell (address) values ('http://127.0.0.1:9')
        returning cell_id)
      insert into florin.cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
      select gen_random_uuid(), gen_random_uuid(), 1, 'PAUSED', cell_id, 'a test' from other`);
    return { mend: () => asOwner('delete from florin.cell_move') };
  },
  FlorinMoveLeft: async () => {
    const slot = `'florin_cell_${'a'.repeat(32)}_0'`;
    await asOwner(`select pg_create_physical_replication_slot(${slot}, true)`);
    return { mend: () => asOwner(`select pg_drop_replication_slot(${slot})`) };
  },
  FlorinJobFails: async () => {
    await write(`insert into failed_job (job, failing_since, last_error)
      values ('fillPayouts', now() - interval '10 minutes', 'column x does not exist')`);
    return { mend: () => write('delete from failed_job') };
  },
  FlorinDatabaseUnreachable: async () => {
    const { config, log } = service.tools;
    const database = openDatabase(
      {
        connectionString: 'postgres://nobody:nothing@127.0.0.1:1/none',
        ...{ tenantConnections: 1, systemConnections: 1, applicationName: 'test' },
      },
      log,
    );
    return { tools: { ...service.tools, config, database }, mend: () => database.close() };
  },
  FlorinDatabaseTakesNoWrites: async () => {
    const other = new pg.Client({ connectionString: service.databaseUrl });
    await other.connect();
    await other.query('begin; lock table florin.health_probe in access exclusive mode');
    return { mend: () => other.end() };
  },
  FlorinEpochUnconfirmed: async () => {
    await write('update cluster_epoch set confirmed_at = null where true');
    return { mend: () => write('update cluster_epoch set confirmed_at = now()') };
  },
  FlorinStandbyGone: async () => {
    const standby = await follow();
    const earlier = await waitUntil(async () => standbysOf(await look()) > 0 && look());
    await standby.end();
    await waitUntil(async () => standbysOf(await look()) < standbysOf(earlier));
    return {
      earlier,
      mend: async () => {
        await follow();
        await waitUntil(async () => standbysOf(await look()) === standbysOf(earlier));
      },
    };
  },
  FlorinStandbyBehind: async () => {
    await follow();
    const server = new pg.Client({ connectionString: service.databaseUrl });
    await server.connect();
    for (let segment = 0; segment < 6; segment += 1) {
      await server.query(`select pg_logical_emit_message(false, 'test', 'something')`);
      await server.query('select pg_switch_wal()');
    }
    await server.end();
    const mend = async () => {
      await Promise.all(following.map(({ end }) => end()));
      await waitUntil(async () => standbysOf(await look()) === 0);
    };
    return { mend };
  },
  FlorinCertificateEnds: async () => certificateFor(20),
  FlorinCertificateEndsNow: async () => certificateFor(2),
  FlorinErrors: async () => {
    const app = fastify();
    countRequests(app);
    app.get('/broken', () => {
      throw new Error('broken by the test');
    });
    for (let call = 0; call < 11; call += 1) await app.inject('/broken');
    await app.close();
    return {};
  },
  FlorinBankUnavailable: async () => {
    let nowMs = 0;
    const clock = { ...service.tools.clock, now: () => new Date(nowMs) };
    const { record } = watchHealth(clock, { bank: 'test', api: 'payments' });
    for (let call = 0; call < 5; call += 1) {
      record(false, 1);
      nowMs += 2_000;
    }
    return {};
  },
  FlorinBankMessagesUnread: async () => {
    const root = await mkdtemp(join(tmpdir(), 'florin-other-folder-'));
    const claim = async (_: string, installationId: string) => ({
      ...{ isOwn: false, installationId, lastFile: null },
    });
    const channel = { kind: 'FOLDER', root, own: { ...anyFolder, claim } } as const;
    const rail = openIso20022({ template: standardTemplate, channel }, service.tools);
    const find = transferRails(() => rail, { SANDBOX: '', PRODUCTION: '' });
    const tools = { ...service.tools, transferRails: find, receivers: {} };
    for (let round = 0; round < 3; round += 1)
      await transferJobs(tools).readBankMessages('PRODUCTION');
    return { mend: () => rm(root, { recursive: true }) };
  },
  FlorinDatabaseBusy: async () => {
    const wait = statement<Record<never, never>, never>('test_wait', sql()`select pg_sleep(0.05)`);
    const waiting = Array.from({ length: 60 }, () => service.tools.database.system(wait, {}));
    return { seen: readSeries(metrics.text()), mend: () => Promise.all(waiting) };
  },
  FlorinProgramBusy: async () => {
    const observe = openObserver(service.tools);
    await observe();
    await sleep(100);
    const until = performance.now() + 1_200;
    while (performance.now() < until);
    await sleep(100);
    await observe();
    return { seen: readSeries(metrics.text()) };
  },
  FlorinClockWrong: async () => {
    const late = {
      ...service.tools.clock,
      now: () => new Date(service.tools.clock.now().getTime() + 60_000),
    };
    const tools = { ...service.tools, clock: late };
    // A program says which clock is ahead when it starts.
    await warnOfClock(tools);
    expect(service.logged.at(-1)).toContain('is 60 s ahead of that of the database: synchronise');
    return { tools };
  },
  FlorinHolidaysEnd: async () => {
    const late = { ...service.tools.clock, now: () => new Date('2099-01-01') };
    await watchBankHolidays({ ...service.tools, clock: late });
    return { mend: () => watchBankHolidays(service.tools) };
  },
};

describe('an alert', () => {
  test.each(Object.entries(breaks))(
    '%s is for what was broken, and ends with it',
    async (name, breakIt) => {
      const alert = alerts.find((each) => each.name === name) as Alert;
      const before = await look();
      expect(firing(alert, before, before)).toEqual([]);
      const { mend, tools, seen, earlier = before } = await breakIt();
      const broken = seen ?? (await look(tools));
      expect(firing(alert, broken, earlier).length).toBeGreaterThan(0);
      await mend?.();
      const after = await look();
      expect(firing(alert, after, alert.by === 'growth' ? after : earlier)).toEqual([]);
    },
  );

  test('and the board look at numbers that there are', async () => {
    await breaks.FlorinJobFails?.();
    await look();
    const text = metrics.text();
    const ofWorkers = ['florin_webhook_attempts_total', 'florin_job_last_run_timestamp_seconds'];
    const missing = numbersUsed().filter((name) => !text.includes(name));
    expect(missing.filter((name) => !ofWorkers.includes(name))).toEqual([]);
  });
});
