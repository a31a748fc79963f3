import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const timeout = 120_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const paid = async (more: object = {}): Promise<string> => {
  const id = await journey.create({ enableTips: false, ...more });
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  return id;
};
const asOwner = async (method: string, below: string, body?: object) => {
  const { tools, merchant, url } = journey.sandbox;
  const { headers } = await signIn(tools, { merchantId: merchant.merchantId, origin: url });
  const path = `/dashboard/api/merchants/${merchant.merchantId}/sandbox/${below}`;
  return journey.sandbox.request(method, path, { body, secret: null, headers });
};
const payouts = async (query = '') => (await request('GET', `/api/payouts${query}`)).body;
const linesOf = async (id: string, query = '') =>
  (await request('GET', `/api/payouts/${id}/transactions${query}`)).body;
const until = <Found>(find: () => Promise<Found | undefined>): Promise<Found> =>
  waitUntil(async () => {
    const found = await find();
    if (found === undefined) throw new Error(JSON.stringify(await payouts()));
    return found;
  }, patience);
const newestWith = (status: string, amount: string) =>
  until(async () =>
    (await payouts()).data.find(
      (each: { status: string; amount: string }) =>
        each.status === status && each.amount === amount,
    ),
  );

describe('payouts', { timeout }, () => {
  test('pay out settled payments less refunds to the bank account of the store', async () => {
    const first = await paid({ notes: 'table 4', callbackParams: { table: 4 } });
    await paid({ amount: 20 });
    const refund = await request('POST', '/api/refund', { paymentRequestId: first, amount: 2.5 });
    const open = await newestWith('PENDING', '30.00');
    expect(open).toEqual({
      id: expect.any(String),
      ...{ settlementPeriodEnd: expect.any(String), settledAt: null },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      ...{ status: 'PENDING', lineCount: 3, amount: '30.00', currency: 'GBP' },
      account: { name: expect.stringMatching(/\w/), lastFour: expect.stringMatching(/^\d{4}$/) },
      reference: expect.stringMatching(/^FPY[0-9A-F]{11}$/),
    });
    const lines = await linesOf(open.id);
    expect(lines).toMatchObject({ page: 0, itemPerPage: 10, totalCount: 3 });
    const amounts = lines.data.map(({ amount }: { amount: string }) => amount);
    expect(amounts.sort()).toEqual(['-2.50', '12.50', '20.00']);
    const [payment] = lines.data.filter(
      (line: { paymentRequestId: string; isRefund: boolean }) =>
        line.paymentRequestId === first && !line.isRefund,
    );
    expect(payment).toEqual({
      paymentIdempotencyId: expect.stringMatching(/^ATOA/),
      paymentRequestId: first,
      createdAt: expect.any(String),
      ...{ amount: '12.50', currency: 'GBP', lineType: 'PAYMENT' },
      ...{ refundId: null, refundPaymentReference: null },
      payoutReferenceId: open.reference,
      transactionFinalizedAt: expect.any(String),
      isRefund: false,
      ...{ callbackParams: { table: 4 }, notes: 'table 4' },
      ...{ orderId: 'o', storeName: expect.any(String) },
    });
    expect((await asOwner('GET', `payouts/${open.id}/stores`)).body).toMatchObject({
      data: [{ storeName: payment.storeName, lines: 3, amount: 30 }],
      kinds: [
        { lineType: 'PAYMENT', amount: 32.5 },
        { lineType: 'REFUND', lines: 1, amount: -2.5 },
      ],
    });
    const [back] = lines.data.filter(({ isRefund }: { isRefund: boolean }) => isRefund);
    expect(back).toMatchObject({
      refundId: refund.body.refundId,
      refundPaymentReference: expect.stringMatching(/^FLT/),
      amount: '-2.50',
    });
    await journey.advance(5 * day);
    const settled = await newestWith('SETTLED', '30.00');
    expect(settled.id).toBe(open.id);
    expect((await linesOf(open.id, '?limit=2&page=1')).data).toHaveLength(1);
    const times = { settledAt: expect.any(String), paidOutAt: expect.any(String) };
    const inPayout = { payoutId: open.id, payoutReference: open.reference, ...times };
    expect((await asOwner('GET', 'money/rows')).body.data).toMatchObject([
      { figure: 'REFUNDED', amount: -2.5, ...inPayout },
      { figure: 'SOLD', amount: 20, ...inPayout },
      { figure: 'SOLD', amount: 12.5, method: 'PAY_BY_BANK', tipAmount: 0, ...inPayout },
    ]);
  });

  test('are found by status, day, amount and reference', async () => {
    const { data } = await payouts();
    const [one] = data;
    expect((await payouts('?status=SETTLED')).totalCount).toBe(1);
    expect((await payouts('?status=FAILED')).totalCount).toBe(0);
    expect((await payouts('?search=30.00')).totalCount).toBe(1);
    expect((await payouts(`?search=${one.reference.slice(0, 8)}`)).totalCount).toBe(1);
    expect((await payouts('?search=31')).totalCount).toBe(0);
    const today = one.createdAt.slice(0, 10);
    expect((await payouts(`?fromDate=${today}&toDate=${today}&orderBy=ASC`)).totalCount).toBe(1);
    expect((await payouts('?toDate=2020-01-01')).totalCount).toBe(0);
    expect((await request('GET', '/api/payouts?limit=101')).status).toBe(400);
    // As the published command line sends it.
    const sent = '?page=0&limit=20&orderBy=createdAt&status=COMPLETED';
    expect(await payouts(sent)).toMatchObject(await payouts('?status=SETTLED'));
    expect((await request('GET', '/api/payouts?orderBy=UP')).status).toBe(400);
    const { merchantId } = journey.sandbox.tenant;
    const missing = await request('GET', `/api/payouts/${merchantId}/transactions`);
    expect(missing.status).toBe(404);
    const elsewhere = await journey.sandbox.request('GET', `/api/payouts/${one.id}/transactions`, {
      secret: journey.sandbox.productionSecret,
    });
    expect(elsewhere.body).toMatchObject({ name: 'ENVIRONMENT_MISMATCH', status: 400 });
  });

  test('can still be read after payouts were switched off', async () => {
    const before = await payouts();
    await request('POST', '/api/sandbox/switches', { payoutsEnabled: false });
    const after = await request('GET', '/api/payouts');
    await request('POST', '/api/sandbox/switches', { payoutsEnabled: true });
    expect([after.status, after.body]).toEqual([200, before]);
  });

  test('rejected by the bank return their lines to the next payout', async () => {
    // An amount that the simulated hub rejects (AC01).
    const magic = (await fetchMagic()).find(({ name }) => name === 'reject-AC01');
    await paid({ amount: (magic?.amountPence ?? 0) / 100 });
    const amount = ((magic?.amountPence ?? 0) / 100).toFixed(2);
    await newestWith('PENDING', amount);
    await journey.advance(5 * day);
    const failed = await newestWith('FAILED', amount);
    const next = await newestWith('PENDING', amount);
    expect(next.id).not.toBe(failed.id);
    expect((await linesOf(next.id)).totalCount).toBe(1);
    expect((await linesOf(failed.id)).totalCount).toBe(1);
    await paid({ amount: 5 });
    await journey.advance(5 * day);
    await newestWith('SETTLED', (Number(amount) + 5).toFixed(2));
  });
});

describe('settled payouts', { timeout }, () => {
  const matches = async (query = '') => (await request('GET', `/api/payouts/matches${query}`)).body;
  const account = { sortCode: '180002', accountNumber: '00000190' };

  /** The account is read when somebody asks for it. */
  const becomes = (reference: string, match: string) =>
    until(async () => {
      for (const { accountId } of (await request('GET', `/api/bank/${linkedBy}/accounts`)).body)
        await request('GET', `/api/bank/accounts/${accountId}/transactions?${anyTime}`);
      return (await matches()).data.find(
        (each: { reference: string; match: string }) =>
          each.reference === reference && each.match === match,
      );
    });
  const anyTime = 'from=2020-01-01&before=2040-01-01&page=0&itemsPerPage=1';
  let linkedBy = '';

  const aheadMs = async (): Promise<number> =>
    Date.parse((await request('POST', '/api/sandbox/clock', { advanceMs: 0 })).body.now) -
    Date.now();

  const settledWith = async (behaviour: string): Promise<{ id: string; reference: string }> => {
    const magic = (await fetchMagic()).find(({ name }) => name === behaviour);
    const amount = ((magic?.amountPence ?? 0) / 100).toFixed(2);
    await paid({ amount: Number(amount) });
    const { settlementPeriodEnd: endsAt } = await newestWith('PENDING', amount);
    await journey.advance(Date.parse(endsAt) - Date.now() - (await aheadMs()) + 60_000);
    return newestWith('SETTLED', amount);
  };

  test('are looked for on the bank account that they go to, once it is connected', async () => {
    const { data } = await matches();
    expect(data.length).toBeGreaterThan(0);
    for (const { match } of data) expect(match).toBe('NOT_CONNECTED');
    const redirectUrl = 'https://shop.example/linked';
    const initiated = await request('POST', '/api/bank/auth/initiate', { redirectUrl });
    linkedBy = initiated.body.accountAuthId;
    const chosen = { institutionId: 'emberly-sandbox', account };
    const linked = await request('POST', `/api/sandbox/bank/auth/${linkedBy}/link`, chosen);
    expect(linked.status, JSON.stringify(linked.body)).toBe(200);
    const [first] = data.slice(-1);
    const { settlementPeriodEnd: closedAt } = (await payouts()).data.at(-1);
    const found = await becomes(first.reference, 'MATCHED');
    expect(found).toEqual({
      payoutId: first.payoutId,
      reference: first.reference,
      amount: '30.00',
      currency: 'GBP',
      settledAt: first.settledAt,
      match: 'MATCHED',
      creditedAmount: '30.00',
      credits: 1,
      // Its bank is on the same moved clock.
      creditedAt: expect.stringContaining(closedAt.slice(0, 17)),
      ...{ bankAccountId: expect.any(String), bankTransactionId: expect.any(String) },
      isPayoutAccount: true,
    });
  });

  test('that arrived with another amount, twice or not at all are listed as such', async () => {
    if (isLongRun) {
      const less = await settledWith('credit-less');
      expect(await becomes(less.reference, 'DIFFERENT')).toMatchObject({ credits: 1 });
    }
    const lost = await settledWith('lose-credit');
    await becomes(lost.reference, 'WAITING');
    await journey.advance(3 * day);
    const missing = await becomes(lost.reference, 'MISSING');
    expect(missing).toMatchObject({ creditedAmount: '0.00', credits: 0, bankAccountId: null });
    const [first] = (await matches('?match=MATCHED')).data.slice(-1);
    await journey.control.deposit({
      account,
      from: { sortCode: '180001', accountNumber: '12345678', name: 'Twice' },
      amountPence: 3000,
      reference: first.reference,
      statedAheadMs: await aheadMs(),
    });
    const twice = await becomes(first.reference, 'DIFFERENT');
    expect(twice).toMatchObject({ creditedAmount: '60.00', credits: 2 });
    expect((await matches('?match=DIFFERENT')).totalCount).toBe(isLongRun ? 2 : 1);
    expect((await matches('?match=MISSING')).data).toMatchObject([{ payoutId: lost.id }]);
    expect((await matches('?toDate=2020-01-01')).totalCount).toBe(0);
    const [from, to] = [first, missing].map(({ settledAt }) => settledAt.slice(0, 10));
    const path = `/api/payouts/matches/export?fromDate=${from}&toDate=${to}`;
    const lines: string[] = (await request('GET', path)).body.split('\r\n');
    expect(lines[0]).toMatch(/^payoutId,payoutReferenceId,amount,currency,settledAt,match,/);
    expect(lines.find((line) => line.startsWith(lost.id))).toContain(',MISSING,0.00,0,');
    const doubled = lines.find((line) => line.startsWith(first.payoutId));
    expect(doubled).toContain(',DIFFERENT,60.00,2,');
    const { productionSecret: secret } = journey.sandbox;
    const elsewhere = await journey.sandbox.request('GET', '/api/payouts/matches', { secret });
    expect(elsewhere.body.totalCount).toBe(0);
  });
});

test('match the books, with refunds', { timeout }, async () => {
  expect(await findBrokenInvariants(journey.sandbox.databaseUrl)).toEqual([]);
});

const fetchMagic = async (): Promise<readonly { name: string; amountPence: number }[]> => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(`${journey.outside.trustFolder}/registration.json`, 'utf8');
  const { controlUrl, controlToken } = JSON.parse(text);
  const answer = await fetch(`${controlUrl}/magic/transfers`, {
    headers: { authorization: `Bearer ${controlToken}` },
  });
  return answer.json() as never;
};

longTest(
  'an open payout keeps its account, and what comes after a change goes to the new one',
  {
    timeout,
  },
  async () => {
    const storeId = (await request('GET', '/api/payments/stores')).body.data[0].id;
    await paid({ amount: 7.01 });
    const before = await newestWith('PENDING', '7.01');
    const body = { sortCode: '089999', accountNumber: '66374958', name: 'New Account Ltd' };
    const changed = await asOwner('PUT', `stores/${storeId}/bank-account`, body);
    expect(changed.body).toEqual({ storeId, isChanged: true });
    await paid({ amount: 8.02 });
    const after = await newestWith('PENDING', '8.02');
    await journey.advance(5 * day);
    expect((await newestWith('SETTLED', '7.01')).id).toBe(before.id);
    expect((await newestWith('SETTLED', '8.02')).id).toBe(after.id);
    const accountOf = async (payoutId: string) =>
      (await journey.sandbox.tools.database.system(readAccount, { payoutId }))[0]?.account_number;
    expect(await accountOf(after.id)).toBe('66374958');
    expect(await accountOf(before.id)).not.toBe('66374958');
  },
);

const readAccount = statement<{ payoutId: string }, { readonly account_number: string }>(
  'test_payout_account',
  sql('payoutId')`select account_number from payout where payout_id = :payoutId::uuid`,
);
