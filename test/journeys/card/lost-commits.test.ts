import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardPayments, type TestCard } from '../../harness/card-payments.ts';
import { type CuttingProxy, openCuttingProxy } from '../../harness/database/open-cutting-proxy.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const clients = 12;
const ordersEach = isLongRun ? 5 : 2;
const cutEveryMs = 25;
const minCuts = 6;

let proxy: CuttingProxy;
let sandbox: Sandbox;
let cards: ReturnType<typeof cardPayments>;
let card: TestCard;
let direct: pg.Client;

beforeAll(async () => {
  proxy = await openCuttingProxy();
  sandbox = await openSandbox({}, proxy.connectThrough);
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  direct = new pg.Client({ connectionString: sandbox.databaseUrl });
  await direct.connect();
  await direct.query('set search_path = florin');
});
afterAll(async () => {
  await direct.end();
  await sandbox.close();
  proxy.close();
});

const chargeBody = (orderId: string) => ({
  ...{ ...card, orderId, captureType: 'AUTO_CAPTURE', amount: 5 },
});
const requestBody = (orderId: string) => ({ customerId: 'c', orderId, amount: 5 });
const paths = {
  charge: ['/api/payments/card/process-payment', chargeBody],
  create: ['/api/payments/process-payment', requestBody],
} as const;
type Kind = keyof typeof paths;

/** As a program does that knows nothing but our advice: 503 with an id is looked up, else sent again. */
const sendPersistently = async (kind: Kind, orderId: string): Promise<string> => {
  const [path, bodyOf] = paths[kind];
  for (;;) {
    const reply = await sandbox.request('POST', path, { body: bodyOf(orderId) });
    if (reply.status === 200) return reply.body.paymentRequestId;
    expect(reply).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
    const id = reply.body.paymentRequestId;
    if (id !== undefined && (await isThere(id))) return id;
  }
};

const isThere = (id: string): Promise<boolean> =>
  waitUntil(async () => {
    const { status } = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
    return status === 503 ? undefined : { value: status === 200 };
  }, patience).then(({ value }) => value);

const paymentsOf = async (orderId: string): Promise<readonly string[]> =>
  (
    await direct.query<{ id: string }>(
      'select payment_request_id as id from payment_request where order_id = $1',
      [orderId],
    )
  ).rows.map(({ id }) => id);

test('a charge without a key whose commit was not answered is answered by its id', async () => {
  await sendPersistently('charge', 'prepared');
  proxy.cutAfter('card_charge_insert');
  const before = proxy.cuts();
  const reply = await sandbox.request('POST', paths.charge[0], { body: chargeBody('cut') });
  expect(proxy.cuts()).toBe(before + 1);
  expect(reply.status).toBe(200);
  expect(await paymentsOf('cut')).toEqual([reply.body.paymentRequestId]);
  await cards.reaches(reply.body.paymentRequestId, 'COMPLETED');
  expect(await cards.control.ofRequest(reply.body.paymentRequestId)).toHaveLength(1);
});

test('a charge whose outcome cannot be read answers 503 with the id to ask for', async () => {
  proxy.cutAfter('card_charge_insert', { staysDown: true });
  const reply = await sandbox.request('POST', paths.charge[0], { body: chargeBody('down') });
  proxy.comeBack();
  expect(reply.status).toBe(503);
  expect(await isThere(reply.body.paymentRequestId)).toBe(true);
});

/** Connections end before, in and after a commit, and answers of commits are lost. */
const cutConnections = () => {
  const statements = ['card_charge_insert', 'payment_request_insert'];
  let turn = 0;
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename is not null and pid <> pg_backend_pid()
      and query like '%insert into payment_request%' order by random() limit 1`;
  const timer = setInterval(() => {
    turn += 1;
    if (turn % 2 === 0) proxy.cutAfter(statements[(turn / 2) % 2] ?? '');
    else void direct.query(terminate);
  }, cutEveryMs);
  return () => clearInterval(timer);
};

describe('under a load of charges and creates whose connections are cut at commit', () => {
  test('nothing acknowledged is missing, and nothing is there twice', {
    timeout: 120_000,
  }, async () => {
    const before = proxy.cuts();
    const needsMoreCuts = () => proxy.cuts() - before < minCuts;
    const stop = cutConnections();
    const sent = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const answered: (readonly [orderId: string, id: string])[] = [];
        for (let order = 0; order < ordersEach || needsMoreCuts(); order += 1) {
          const kind = (client + order) % 2 === 0 ? 'charge' : 'create';
          const orderId = `${kind} ${client} ${order}`;
          answered.push([orderId, await sendPersistently(kind, orderId)]);
        }
        return answered;
      }),
    ).finally(stop);
    proxy.cutAfter('');
    expect(needsMoreCuts()).toBe(false);
    for (const [orderId, id] of sent.flat())
      expect([orderId, await paymentsOf(orderId)]).toEqual([orderId, [id]]);
    const charged = sent.flat().filter(([orderId]) => orderId.startsWith('charge'));
    await waitUntil(async () => {
      // What was committed and not sent is asked about when its lease is over.
      await direct.query(`
        update attempt set leased_until = now() - interval '1 second' where status = 'PENDING';
        update attempt_poll set leased_until = null where leased_until is not null;
        delete from work_lease`);
      await cards.advance(61_000);
      const { rows } = await direct.query(
        `select count(*)::int as open from attempt where status = 'PENDING'`,
      );
      return rows[0].open === 0;
    }, patience);
    const lines = await cards.control.payments();
    for (const [orderId, id] of charged) {
      const taken = lines.filter(({ metadata }) => metadata.paymentRequestId === id);
      expect([orderId, taken.map(({ captured }) => captured)]).toEqual([orderId, [500]]);
    }
    expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  });
});
