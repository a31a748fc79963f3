import { copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { runCommand } from '../harness/programs/run-command.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi } from './pay-persistently.ts';

const patience = { withinMs: 90_000 };

const archiving = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: 'mkdir -p archived && cp %p archived/%f',
};

const pay = async (rig: Rig): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5, enableTips: false };
  const made = await callApi(rig, '/api/payments/process-payment', body);
  const id = String(made.paymentRequestId);
  await callApi(rig, `/api/sandbox/payment-requests/${id}/pay`, {});
  await waitUntil(async () => /^COMPLETED AC[SC]C$/.test(await statusOf(rig, id)), patience);
  return id;
};

const statusOf = async (rig: Rig, id: string): Promise<string> => {
  const { status, transactionDetails } = await callApi(
    rig,
    `/api/payments/v1/payment-status/${id}`,
  );
  const [detail] = transactionDetails as { statusDetails?: { isoStatus: { code: string } } }[];
  return `${status} ${detail?.statusDetails?.isoStatus.code}`;
};

const payByCard = async (rig: Rig): Promise<void> => {
  const body = { customerId: 'c', orderId: 'card', amount: 7, expiresIn: 36e5, enableTips: false };
  const made = await callApi(rig, '/api/payments/process-payment', {
    ...body,
    paymentMethod: ['CARD'],
  });
  const path = `/api/sandbox/payment-requests/${made.paymentRequestId}/pay`;
  await callApi(rig, path, { method: 'CARD', cardNumber: '4000000000000127' });
};

const refund = async (rig: Rig, paymentRequestId: string): Promise<void> => {
  await callApi(rig, '/api/refund', { paymentRequestId, amount: 1 }, 'refund');
  await waitUntil(async () => {
    const [found] = await callApi<readonly { readonly status: string }[]>(
      rig,
      `/api/refund/${paymentRequestId}`,
    );
    return found?.status === 'COMPLETED';
  }, patience);
};

type Feed = { readonly data: readonly object[]; readonly cursor: string | null };

const readFeed = async (rig: Rig, after: string | null): Promise<Feed> =>
  callApi<Feed>(rig, `/api/webhook/events${after === null ? '' : `?after=${after}`}`);

/** The cursor behind everything. */
const feedEnd = async (rig: Rig): Promise<string> => {
  let cursor: string | null = null;
  for (;;) {
    const feed: Feed = await readFeed(rig, cursor);
    if (feed.data.length === 0 && cursor !== null) return cursor;
    cursor = feed.cursor;
  }
};

const isPromoted = async (): Promise<boolean> => {
  const client = await connect(rig);
  const { rows } = await client.query('select pg_is_in_recovery() as recovers');
  await client.end();
  return !rows[0].recovers;
};

const eventIds = async (client: pg.Client): Promise<readonly string[]> =>
  (await client.query('select event_id from event order by written_in, event_id')).rows.map(
    ({ event_id }) => event_id,
  );

const connect = async (rig: Rig): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: rig.databaseUrl,
    options: '-c search_path=florin',
  });
  // It ends with its server.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** What the server must find by itself, or has of its own process. */
const isLeftOut = (name: string): boolean =>
  ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'archived'].includes(name);

/** Files come and go while the server works: what is gone meanwhile, WAL brings again. */
const copyLiveFolder = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isLeftOut(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyLiveFolder(source, target);
    else
      await copyFile(source, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  }
};

/** What pg_basebackup does, by its own commands of SQL. */
const takeBaseBackup = async (client: pg.Client, data: string, backup: string): Promise<void> => {
  await client.query(`select pg_backup_start('test', true)`);
  await copyLiveFolder(data, backup);
  const { rows } = await client.query('select labelfile from pg_backup_stop()');
  await writeFile(join(backup, 'backup_label'), rows[0].labelfile);
  await mkdir(join(backup, 'pg_wal'), { mode: 0o700 });
};

const archiveAll = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
  await waitUntil(async () => {
    const archived = await client.query('select last_archived_wal as name from pg_stat_archiver');
    return String(archived.rows[0].name) >= rows[0].name;
  }, patience);
};

let rig: Rig;
let backup: string;
beforeAll(async () => {
  rig = await openRig({ ownPostgres: archiving, banksElsewhere: true });
  backup = await mkdtemp(join(tmpdir(), 'florin-backup-'));
}, 180_000);
afterAll(async () => {
  await rig.close();
  await rm(backup, { recursive: true });
});

test('a destroyed server is restored to a moment, with its events in their order', async () => {
  const client = await connect(rig);
  const [{ data_directory: data }] = (await client.query('show data_directory')).rows;
  const before = await pay(rig);
  await takeBaseBackup(client, data, backup);
  const after = await pay(rig);
  const acknowledged = await eventIds(client);
  const [{ moment }] = (await client.query('select clock_timestamp()::text as moment')).rows;
  const late = await pay(rig);
  await payByCard(rig);
  await refund(rig, before);
  const cursor = await feedEnd(rig);
  await archiveAll(client);

  for (const part of ['api', 'worker', 'simulator', 'postgres'] as const) await rig.kill(part);
  await cp(join(data, 'archived'), join(backup, 'archived'), { recursive: true });
  await rm(data, { recursive: true });
  await cp(backup, data, { recursive: true });
  await writeFile(join(data, 'recovery.signal'), '');
  await rig.start('postgres', {
    restore_command: 'cp archived/%f %p',
    recovery_target_time: moment,
    recovery_target_action: 'promote',
  });
  await rig.start('simulator');
  await waitUntil(isPromoted, patience);
  await expect(requireCurrentSchema(rig.databaseUrl)).rejects.toThrow('reconcile');
  const operate = (...words: string[]) =>
    runCommand('operate.ts', words, {
      DATABASE_URL: rig.databaseUrl,
      FLORIN_DATA: rig.dataFolder,
      SIMULATOR_TRUST_FOLDER: rig.trustFolder,
    });
  const reconciled = await operate('reconcile');
  expect(reconciled).toMatchObject({ code: 0 });
  expect(reconciled.out).toMatch(/SANDBOX: [1-9]\d* messages of the bank read again/);
  expect(reconciled.out).toMatch(/unexplained credit of 5\.00/);
  expect(reconciled.out).toMatch(/unexplained debit of 1\.00/);
  expect(reconciled.out).toMatch(
    /SANDBOX: \d+ events of the card processor followed, 1 payments unknown/,
  );
  expect((await operate('cases')).out).toContain('PAYMENT_LOST_BY_RESTORE');
  expect((await operate('confirm-epoch')).out).toContain('Epoch 2 ');
  for (const part of ['api', 'worker'] as const) await rig.start(part);

  const restored = await connect(rig);
  expect(await eventIds(restored)).toEqual(acknowledged);
  for (const id of [before, after]) expect(await statusOf(rig, id)).toMatch(/^COMPLETED /);
  await expect(callApi(rig, `/api/payments/v1/payment-status/${late}`)).rejects.toThrow('404');
  await pay(rig);
  // A receiver that had read on, beyond the moment, gets what is new.
  expect((await readFeed(rig, cursor)).data.length).toBeGreaterThan(0);
  const events = await eventIds(restored);
  expect(events.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(events.length).toBeGreaterThan(acknowledged.length);
  await waitUntil(async () => {
    const wrong = await findBrokenInvariants(rig.databaseUrl, { isQuiet: true });
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
  await restored.end();
  const { length: kept } = acknowledged;
  const drill = { acknowledged: kept, lost: 0, errors: null, secondsToWell: null, alert: null };
  await recordDrill('restore to a moment', drill);
}, 300_000);
