import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { metrics } from '../../service/src/platform/metrics.ts';
import { replicaReads } from '../../service/src/programs/wiring/replica-reads.ts';
import { loadStatements } from '../../tools/describe/describe-statements.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { repeatable, startStandby } from '../harness/database/start-standby.ts';
import { withDatabase } from '../harness/database/with-database.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const closers: (() => unknown)[] = [];
let standby: Awaited<ReturnType<typeof startStandby>>;
let sandbox: Sandbox;

beforeAll(async () => {
  const primary = await openTestServer({ settings: repeatable });
  closers.push(primary.stop);
  standby = await startStandby(primary.url);
  closers.push(() => standby.stop());
  const server = {
    url: primary.url,
    template: primary.template,
    ofSimulators: inject('databaseServer'),
  };
  const replicaOf = (url: string) =>
    withDatabase(standby.connectionString('postgres'), new URL(url).pathname.slice(1));
  sandbox = await openSandbox((url) => ({ DATABASE_READ_URL: replicaOf(url) }), undefined, server);
  closers.push(sandbox.close);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const answered = (): number =>
  Number(/^florin_replica_reads_total (\d+)$/m.exec(metrics.text())?.[1] ?? 0);

const cancelled = async (): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 5 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const id: string = made.body.paymentRequestId;
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  const paid = await sandbox.request('POST', path, { body: { outcome: 'CANCELLED' } });
  expect(paid.status).toBe(200);
  return id;
};

const list = async (secret = sandbox.secret): Promise<string> => {
  const sent = { secret, body: { size: 50 } };
  const found = await sandbox.request('POST', '/api/payments/transactions', sent);
  expect(found.status).toBe(200);
  return JSON.stringify(found.body);
};

const onStandby = (text: string) =>
  lookInto(standby.connectionString('postgres'), (client) => client.query(text));

test('a standby answers lists with what was written just before', async () => {
  const before = answered();
  for (let round = 0; round < 5; round += 1) {
    const written = await cancelled();
    expect(await list()).toContain(written);
  }
  await waitUntil(async () => {
    await list();
    return answered() > before + 3;
  });
});

test('a standby shows no merchant and no environment the rows of another', async () => {
  const mine = await cancelled();
  const other = await createMerchant(sandbox.tools, {
    businessName: 'Other',
    bankAccounts: testBankAccounts,
  });
  await waitUntil(async () => {
    const before = answered();
    expect(await list()).toContain(mine);
    for (const secret of [other.secrets.SANDBOX.secret, sandbox.productionSecret])
      expect(await list(secret)).not.toContain(mine);
    return answered() >= before + 3;
  });
});

test('while the standby is late the primary answers, and afterwards the standby again', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await waitUntil(async () => {
    const { rows } = await onStandby('select pg_get_wal_replay_pause_state() as state');
    return rows[0].state === 'paused';
  });
  const written = await cancelled();
  const before = answered();
  expect(await list()).toContain(written);
  expect(answered()).toBe(before);
  await onStandby('select pg_wal_replay_resume()');
  await waitUntil(async () => (await list()) && answered() > before);
});

test('what a standby may answer is there, and only reads', async () => {
  const known = new Map((await loadStatements(root)).map((made) => [made.name, made]));
  for (const name of replicaReads)
    expect([name, known.get(name)]).toEqual([name, expect.objectContaining({ guardedBy: null })]);
});

test('without the standby the primary answers', async () => {
  await standby.stop();
  standby = { ...standby, stop: async () => undefined };
  const before = answered();
  const written = await cancelled();
  expect(await list()).toContain(written);
  expect(answered()).toBe(before);
});
