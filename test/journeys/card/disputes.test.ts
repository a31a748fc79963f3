import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sorts } from '../../../contract/index.ts';
import { ledgerStore } from '../../../service/src/modules/ledger/index.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let sandbox: Sandbox;
let client: pg.Client;
beforeAll(async () => {
  sandbox = await openSandbox();
  client = new pg.Client({ connectionString: sandbox.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin');
});
afterAll(async () => {
  await client.end();
  await sandbox.close();
});

const pay = async (cardNumber: string): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 },
  });
  const id = created.body.paymentRequestId;
  const paid = await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
    body: { method: 'CARD', cardNumber },
  });
  expect(paid.body.status).toBe('COMPLETED');
  return id;
};
const historyOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `select trigger from payment_history where payment_request_id = $1 order by version, position`,
    [id],
  );
  return rows.map(({ trigger }) => trigger);
};
const happened = (id: string, trigger: string) =>
  waitUntil(async () => (await historyOf(id)).includes(trigger));
const eventsOf = async (id: string): Promise<number> => {
  const { rows } = await client.query(
    'select count(*)::int as events from event where resource_id = $1',
    [id],
  );
  return rows[0].events;
};
const settled = async () =>
  (await ledgerStore(sandbox.tools.database).balances(sandbox.tenant)).get('SETTLED_BY_PROCESSOR');
const twoHoursPass = () =>
  sandbox.request('POST', '/api/sandbox/clock', { body: { advanceMs: 2 * 60 * 60 * 1000 } });

const casesOf = async (id: string) => {
  const { rows } = await client.query(
    `select kind, status, resolution, evidence from operator_case
     where evidence->>'paymentRequestId' = $1 order by opened_at`,
    [id],
  );
  return rows;
};
let member: ReturnType<typeof signIn> | undefined;
const asMember = async (path: string, environment = 'sandbox') => {
  const { merchantId } = sandbox.merchant;
  member ??= signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const { headers } = await member;
  const prefix = `/dashboard/api/merchants/${merchantId}/${environment}`;
  return (await sandbox.request('GET', `${prefix}${path}`, { secret: null, headers })).body;
};
const seenDispute = async (id: string) => (await asMember(`/payments/${id}/timeline`)).disputes[0];
const named = async (reference: string, environment?: string) =>
  (await asMember(`/references?reference=${encodeURIComponent(reference)}`, environment)).data;

/** By part of the order, the dispute's id, in each order; by deadline while it is open alone. */
const findsDisputes = async (id: string, { reference }: { reference: string }, outcome: string) => {
  const { totals } = await asMember(`/disputes?status=${outcome}&totals=true`);
  expect(totals).toMatchObject({ byStatus: [{ status: outcome, amount: 12.5 }] });
  for (const query of [`search=ORDER-1&status=${outcome}`, `search=${reference}`])
    for (const orderBy of sorts) {
      const { data } = await asMember(`/disputes?${query}&orderBy=${orderBy}`);
      expect(data.map((row: { paymentRequestId: string }) => row.paymentRequestId)).toEqual([id]);
    }
  for (const query of ['search=order-2', 'respondBy=2999-12-31'])
    expect((await asMember(`/disputes?${query}`)).data).toEqual([]);
};

describe('a disputed card payment', () => {
  test.each([
    ['0259', '4000000000000259', 'disputeLost', 0n],
    ['2685', '4000000000002685', 'disputeWon', 1250n],
  ])('is lost or won: card ending in %s', async (lastFour, cardNumber, ending, settledChange) => {
    const before = (await settled()) ?? 0n;
    const id = await pay(cardNumber);
    await happened(id, 'disputed');
    expect(await settled()).toBe(before);
    const events = await eventsOf(id);
    expect(await seenDispute(id)).toMatchObject({
      status: 'OPEN',
      amount: 12.5,
      reason: 'The customer says that they did not make this payment.',
      respondBy: expect.stringMatching(/Z$/),
    });
    expect((await asMember('/disputes?respondBy=2000-01-01')).data).toEqual([]);
    const open = await asMember('/disputes?status=OPEN&totals=true&respondBy=2999-12-31');
    expect(open.data).toMatchObject([{ paymentRequestId: id, orderId: 'order-1', amount: 12.5 }]);
    const { rows: reported } = await client.query(
      `select max(occurred_at) as at from payment_history where trigger = 'disputed'
         and payment_request_id = $1`,
      [id],
    );
    expect(open.data[0].openedAt).toBe(reported[0].at.toISOString());
    expect(open.totals.byStatus).toEqual([{ status: 'OPEN', count: 1, amount: 12.5 }]);
    const payment = { paymentRequestId: id, orderId: 'order-1', payoutId: null };
    const { reference } = await seenDispute(id);
    expect(await named(reference)).toEqual([{ kind: 'DISPUTE', ...payment }]);
    const { rows } = await client.query(
      'select rail_reference, attempt_id from attempt where payment_request_id = $1',
      [id],
    );
    expect(await named(rows[0].rail_reference)).toEqual([{ kind: 'PAYMENT', ...payment }]);
    expect(await named(rows[0].attempt_id)).toEqual([]);
    expect(await named(reference, 'production')).toEqual([]);
    expect(await casesOf(id)).toMatchObject([
      { kind: 'DISPUTE_OPENED', status: 'OPEN', evidence: { amountPence: 1250 } },
    ]);
    expect((await twoHoursPass()).status).toBe(200);
    await happened(id, ending);
    expect((await settled()) ?? 0n).toBe(before + settledChange);
    expect((await historyOf(id)).slice(-2)).toEqual(['disputed', ending]);
    expect(await eventsOf(id)).toBe(events);
    const outcome = ending === 'disputeWon' ? 'WON' : 'LOST';
    expect(await seenDispute(id)).toMatchObject({ status: outcome, respondBy: null });
    expect((await asMember('/disputes?status=OPEN')).data).toEqual([]);
    await findsDisputes(id, open.data[0].disputes[0], outcome);
    const [opened, ...others] = await casesOf(id);
    const resolution = `The dispute was ${outcome.toLowerCase()}.`;
    expect(opened).toMatchObject({ status: 'RESOLVED', resolution });
    expect(others.map(({ kind, status: each }) => `${kind} ${each}`)).toEqual(
      outcome === 'LOST' ? ['DISPUTE_LOST OPEN'] : [],
    );
    const found = await sandbox.request('POST', '/api/payments/transactions', {
      body: { search: lastFour },
    });
    expect(found.body.data.map((row: { orderId: string }) => row.orderId)).toEqual(['order-1']);
    const brought = await asMember(`/payments/${id}/money`);
    const [reversed, net] = outcome === 'LOST' ? [12.5, 0] : [0, 12.5];
    expect(brought).toMatchObject({ sold: 12.5, reversed, net, paidDirectly: net, payouts: [] });
    const status = await sandbox.request(
      'GET',
      `/api/payments/v1/payment-status/${id}?env=sandbox`,
    );
    expect(status.body).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5 });
    expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  });

  test('of another merchant is not there', async () => {
    const unknown = await asMember(`/payments/${sandbox.tools.ids.uuid()}/money`);
    expect(unknown.name).toBe('NOT_FOUND');
  });

  test('is refunded while it is an inquiry, which takes nothing', async () => {
    const before = (await settled()) ?? 0n;
    const id = await pay('4000000000001976');
    await happened(id, 'disputed');
    expect(await settled()).toBe(before + 1250n);
    const refund = { paymentRequestId: id, amount: 12.5 };
    const made = await sandbox.request('POST', '/api/refund', { body: refund });
    expect([made.status, made.body.message]).toEqual([200, undefined]);
    await waitUntil(async () => {
      const { body } = await sandbox.request('GET', `/api/refund/${id}`);
      return body[0].status === 'COMPLETED';
    });
    expect(await named(` ${made.body.refundId} `)).toMatchObject([
      { kind: 'REFUND', paymentRequestId: id },
    ]);
    expect((await twoHoursPass()).status).toBe(200);
    await happened(id, 'disputeWon');
    expect(await settled()).toBe(before);
    expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  });
});
