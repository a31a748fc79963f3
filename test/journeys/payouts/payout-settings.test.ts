import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { closePayout } from '../../../service/src/modules/payouts/fill-and-close.ts';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const timeout = 180_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
let secret: string;
let settings: string;
beforeAll(async () => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
  settings = `/merchants/${journey.sandbox.tenant.merchantId}/sandbox/payout-settings`;
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const operate = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, `/api/operator${path}`, { secret, body });

const paid = async (amount: number, login = 'approve'): Promise<string> => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day });
  await journey.payer.pay(id, login);
  await journey.becomes(id, 'COMPLETED ACSC');
  return id;
};

type Shown = {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly settlementPeriodEnd: string;
};
const payoutWith = (status: string, amount: string): Promise<Shown> =>
  waitUntil(async () => {
    const { data } = (await request('GET', '/api/payouts?limit=100')).body;
    const found = data.find((each: Shown) => each.status === status && each.amount === amount);
    if (found) return found;
    throw new Error(JSON.stringify(data));
  }, patience);

type Line = {
  readonly paymentRequestId: string;
  readonly lineType: string;
  readonly amount: string;
};
const linesOf = async ({ id }: Shown): Promise<readonly string[]> => {
  const path = `/api/payouts/${id}/transactions?limit=100`;
  const lines: readonly Line[] = (await request('GET', path)).body.data;
  return lines.map(({ lineType, amount }) => `${lineType} ${amount}`).sort();
};

describe('fees', { timeout }, () => {
  test('are lines of their own, deducted from the payout and earned by the operator', async () => {
    const set = await operate('PUT', settings, { feeFixed: 0.2, feeBasisPoints: 125 });
    expect([set.status, set.body]).toEqual([
      200,
      { settlementPeriod: 'DAILY', cutOff: '17:00', feeFixed: 0.2, feeBasisPoints: 125 },
    ]);
    await paid(10.5);
    // 20 pence and 13.125 pence, half up.
    const open = await payoutWith('PENDING', '10.17');
    expect(await linesOf(open)).toEqual(['FEE -0.33', 'PAYMENT 10.50']);
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '10.17');
    expect(await fees()).toBe('-33');
  });

  test.each([
    // A tie: 12.5 pence.
    ['10.00', 1000, 125, 13],
    ['9.99', 999, 125, 12],
    ['10.01', 1001, 125, 13],
    ['0.40', 40, 125, 1],
    ['0.39', 39, 125, 0],
  ])('of basis points are rounded half up: £%s', async (_, amount, basisPoints, fee) => {
    const [row] = await journey.sandbox.tools.database.system<object, { pence: bigint }>(
      {
        name: 'test_fee_pence',
        text: 'select fee_pence($1::bigint, 20, $2::int) as pence',
        valueNames: ['amount', 'basisPoints'] as never,
      },
      { amount, basisPoints },
    );
    expect(row?.pence).toBe(20n + BigInt(fee));
  });

  test('and what was paid out are read for each bank account of the merchant', async () => {
    const path = settings.replace('payout-settings', 'balances');
    const { status, body } = await operate('GET', path);
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            sortCode: expect.stringMatching(/^\d{6}$/),
            accountNumber: expect.stringMatching(/^\d{8}$/),
            balances: [
              { account: 'COLLECTING_ACCOUNT', balance: '0.33' },
              { account: 'DUE_FROM_BANK', balance: '0.00' },
              { account: 'FEES', balance: '-0.33' },
              { account: 'MERCHANT_PAID_OUT', balance: '-10.17' },
              { account: 'MERCHANT_PAYABLE', balance: '0.00' },
              { account: 'MERCHANT_UNSETTLED', balance: '0.00' },
              { account: 'PAYOUTS_IN_TRANSIT', balance: '0.00' },
              { account: 'STORE_PAID_OUT', balance: '10.17' },
            ],
          },
        ],
      },
    ]);
    const { merchantId } = journey.sandbox.tenant;
    const { databaseUrl, folder } = journey.sandbox;
    const database = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    const words = ['balances', merchantId, 'sandbox'];
    const { out } = await runCommand('operate.ts', words, database);
    expect(out).toMatch(/STORE_PAID_OUT {2}10\.17/);
    const unknown = path.replace(merchantId, '00000000-0000-4000-8000-000000000000');
    expect((await operate('GET', unknown)).status).toBe(404);
  });

  longTest('come back with a payment that the bank reverses, and stay with a refund', async () => {
    const id = await paid(20, 'rejected-settled');
    const refunded = await paid(30);
    await request('POST', '/api/refund', { paymentRequestId: refunded, amount: 30 });
    // 20.00 - 0.45 + 30.00 - 0.58 - 30.00
    await payoutWith('PENDING', '18.97');
    await journey.advance(10 * 60_000);
    await journey.becomes(id, 'FAILED RJCT');
    const open = await payoutWith('PENDING', '-0.58');
    expect(await linesOf(open)).toEqual([
      'FEE -0.45',
      'FEE -0.58',
      'FEE_RETURNED 0.45',
      'PAYMENT 20.00',
      'PAYMENT 30.00',
      'REFUND -30.00',
      'REVERSAL -20.00',
    ]);
    expect(await fees()).toBe('-91');
  });

  longTest('that outweigh the payments are carried over: no payout is negative', async () => {
    await journey.advance(5 * day);
    const owed = await payoutWith('PENDING', '-0.58');
    await operate('PUT', settings, { feeFixed: 0, feeBasisPoints: 0 });
    await paid(3);
    expect((await payoutWith('PENDING', '2.42')).id).toBe(owed.id);
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '2.42');
    await waitUntil(async () => {
      const wrong = await compareCollectingAccount(journey.outside);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
  });
});

describe('a settlement period', { timeout }, () => {
  test('ends at the cut-off of the merchant', async () => {
    const noFees = { feeFixed: 0, feeBasisPoints: 0 };
    const changed = (await operate('PUT', settings, { cutOff: '09:15', ...noFees })).body;
    expect(changed.cutOff).toBe('09:15');
    expect((await operate('GET', settings)).body).toEqual(changed);
    await paid(4);
    const open = await payoutWith('PENDING', '4.00');
    const london = new Date(open.settlementPeriodEnd).toLocaleTimeString('en-GB', {
      timeZone: 'Europe/London',
    });
    expect(london).toBe('09:15:00');
  });

  test('is a day while refunds are on', async () => {
    const refused = await operate('PUT', settings, { settlementPeriod: 'WEEKLY' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'settlementPeriod']);
    await request('POST', '/api/sandbox/switches', { refundsEnabled: false });
    const set = await operate('PUT', settings, { settlementPeriod: 'WEEKLY' });
    expect(set.body).toMatchObject({ settlementPeriod: 'WEEKLY', cutOff: '09:15' });
    const switched = await request('POST', '/api/sandbox/switches', { refundsEnabled: true });
    expect([switched.status, switched.body.errors[0].field]).toEqual([400, 'refundsEnabled']);
    await operate('PUT', settings, { settlementPeriod: 'DAILY' });
    await request('POST', '/api/sandbox/switches', { refundsEnabled: true });
  });

  test('is set by command, too, and bad values are refused by their names', async () => {
    const { merchantId } = journey.sandbox.tenant;
    const { databaseUrl, folder } = journey.sandbox;
    const database = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    const words = [merchantId, 'sandbox', 'payout-settings', 'cutOff="16:30"', 'feeFixed=0.1'];
    const { out } = await runCommand('configure-merchant.ts', words, database);
    expect(out).toContain('cutOff="16:30"\nfeeFixed=0.1');
    for (const [field, value] of [
      ['cutOff', '24:00'],
      ['feeFixed', 0.001],
      ['feeBasisPoints', 10_001],
      ['settlementPeriod', 'YEARLY'],
    ]) {
      const refused = await operate('PUT', settings, { [String(field)]: value });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
    }
    const unknown = settings.replace(merchantId, '00000000-0000-4000-8000-000000000000');
    expect((await operate('PUT', unknown, {})).status).toBe(404);
  });
});

test('payouts are held while the merchant is suspended, by command', { timeout }, async () => {
  const { databaseUrl, folder, tenant } = journey.sandbox;
  const command = (...words: readonly string[]) => {
    const named = [tenant.merchantId, 'sandbox', ...words];
    const database = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    return runCommand('configure-merchant.ts', named, database);
  };
  const newest = (status: string): Promise<Shown> =>
    waitUntil(async () => {
      const [found] = (await request('GET', '/api/payouts')).body.data;
      if (found?.status === status) return found;
      throw new Error(JSON.stringify(found));
    }, patience);
  await paid(40);
  const open = await newest('PENDING');
  // Suspended after the payout was read, and before its order to the bank is written.
  const { tools, rails } = journey.sandbox;
  const ordering: typeof tools.database.tenant = async (merchantId, ordered, ...rest) => {
    if (ordered.name === 'payout_commit')
      expect((await command('suspend', 'Nothing was delivered')).out).toContain('Suspended');
    return tools.database.tenant(merchantId, ordered, ...rest);
  };
  const closing = {
    ...tools,
    database: { ...tools.database, tenant: ordering },
    transferRails: rails.transferRails,
  };
  expect(await closePayout(closing, tenant, open.id)).toBe(0);
  await journey.advance(5 * day);
  expect((await newest('PENDING')).id).toBe(open.id);
  expect((await command('resume')).out).toContain('Resumed');
  expect((await newest('SETTLED')).id).toBe(open.id);
  const recorded = await journey.sandbox.tools.database.system<object, { detail: string }>(
    {
      name: 'test_suspend_record',
      text: "select detail from audit_record where action = 'merchant suspend'",
      valueNames: [],
    },
    {},
  );
  expect(recorded.map(({ detail }) => detail)).toContain('{"words":["…"]}');
});

test('the books match, with fees', { timeout }, () => journey.allAgree({}));

const fees = async (): Promise<string> => {
  const [row] = await journey.sandbox.tools.database.system<object, { pence: string }>(
    {
      name: 'test_fees',
      text: "select sum(amount_pence)::text as pence from ledger_entry where account = 'FEES'",
      valueNames: [],
    },
    {},
  );
  return row?.pence ?? '';
};
