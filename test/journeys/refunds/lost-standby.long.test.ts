import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnTestServer, openTestServer } from '../../harness/database/open-test-server.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const timeout = 120_000;
let server: OwnTestServer;
let sandbox: Sandbox;
let owner: pg.Client;
beforeAll(async () => {
  const settings = { fsync: 'off', wal_level: 'replica', max_wal_senders: '4' };
  server = await openTestServer({ settings });
  sandbox = await openSandbox({}, undefined, server);
  owner = new pg.Client({ connectionString: sandbox.databaseUrl });
  await owner.connect();
}, timeout);
afterAll(async () => {
  await owner.end();
  await sandbox.close();
  await server.stop();
});

/** Commits wait for a standby that is lost, or no more. */
const waitFor = async (standby: string): Promise<void> => {
  await owner.query(`alter system set synchronous_standby_names = '${standby}'`);
  await owner.query('select pg_reload_conf()');
  const wanted = [{ synchronous_standby_names: standby }];
  await waitUntil(async () => {
    const { rows } = await owner.query('show synchronous_standby_names');
    return JSON.stringify(rows) === JSON.stringify(wanted);
  });
};

test('a refund whose commit waits for a lost standby is named, and made once', {
  timeout,
}, async () => {
  const order = { customerId: 'c', orderId: 'o', amount: 12.5 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body: order });
  const { paymentRequestId } = made.body;
  const path = `/api/sandbox/payment-requests/${paymentRequestId}/pay`;
  expect((await sandbox.request('POST', path, { body: {} })).body.status).toBe('COMPLETED');
  await sandbox.stopWorker();
  await waitFor('lost');
  const body = { paymentRequestId, amount: 5 };
  const reply = await sandbox.request('POST', '/api/refund', { body });
  await waitFor('');
  expect(reply).toMatchObject({ status: 503, body: { refundId: expect.any(String) } });
  expect(reply.body.message).toMatch(/not known whether the refund was made/);
  const listed = await waitUntil(async () => {
    const found = await sandbox.request('GET', `/api/refund/${paymentRequestId}`);
    return found.status === 200 && found.body.length > 0 && found.body;
  });
  expect(listed).toMatchObject([{ refundId: reply.body.refundId, refundAmount: '5.00' }]);
});
