import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { londonDay } from '#kernel/london-day.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { addUpMoneyDays } from './count-money-days.ts';
import { figures, getMoney } from './money.ts';
import { listMoneyRows } from './money-rows.ts';
import { showStatement } from './statement.ts';

let service: TestService;
let owner: pg.Pool;
beforeAll(async () => {
  service = await openTestService();
  const options = '-c search_path=florin -c session_replication_role=replica';
  owner = new pg.Pool({ connectionString: service.databaseUrl, options });
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

type Entry = readonly [account: string, pence: number, reason: string, day: string];

const book = async (merchantId: string, entries: readonly Entry[]): Promise<void> => {
  const rows = entries.map(
    ([account, pence, reason, day]) =>
      `('${merchantId}', 'SANDBOX', gen_random_uuid(), '${account}', ${pence}, '${reason}',
        gen_random_uuid(), '${day} 11:00+00')`,
  );
  await service.database.system<object, object>(
    {
      name: '',
      text: `insert into ledger_entry (merchant_id, environment, transaction_id, account,
        amount_pence, reason, resource_id, occurred_at) values ${rows.join(', ')}`,
      valueNames: [],
    },
    {},
  );
};

/** Rows without those that they refer to, for what was handed over. */
const makeRefunds = async (merchantId: string): Promise<void> => {
  await owner.query(
    `insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
       payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
       paid_pence, created_at, updated_at)
     select $1, 'SANDBOX', resource_id, gen_random_uuid(), gen_random_uuid(), 'p', 'o',
       gen_random_uuid(), gen_random_uuid(), 'PAY_BY_BANK', 'COMPLETED', 'ENDED', 300, 300, now(), now()
     from ledger_entry where merchant_id = $1 and reason = 'REFUND_HANDED_OVER'
       and account = 'MERCHANT_PAYABLE'`,
    [merchantId],
  );
};

const paid = (pence: number, day: string): readonly Entry[] => [
  ['DUE_FROM_BANK', pence, 'PAYMENT_COMPLETED', day],
  ['MERCHANT_UNSETTLED', -pence, 'PAYMENT_COMPLETED', day],
];

const settled = (pence: number, day: string): readonly Entry[] => [
  ['COLLECTING_ACCOUNT', pence, 'PAYMENT_SETTLED', day],
  ['DUE_FROM_BANK', -pence, 'PAYMENT_SETTLED', day],
  ['MERCHANT_UNSETTLED', pence, 'PAYMENT_SETTLED', day],
  ['MERCHANT_PAYABLE', -pence, 'PAYMENT_SETTLED', day],
];

const period = { from: '2026-03-28', to: '2026-03-31' };

describe('the money page', () => {
  test('adds up the same before, while and after entries are counted', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const money = () => getMoney(service.tools, tenant, period);
    await book(merchantId, [
      ...paid(9900, '2026-03-01'),
      ...settled(9900, '2026-03-01'),
      ...paid(1250, '2026-03-28'),
      ...settled(1250, '2026-03-29'),
      ...paid(800, '2026-03-31'),
      ['MERCHANT_PAYABLE', 20, 'FEE_CHARGED', '2026-03-29'],
      ['FEES', -20, 'FEE_CHARGED', '2026-03-29'],
      ['MERCHANT_PAYABLE', 300, 'REFUND_HANDED_OVER', '2026-03-30'],
      ['REFUNDS_IN_TRANSIT', -300, 'REFUND_HANDED_OVER', '2026-03-30'],
      ['MERCHANT_PAYABLE', 500, 'PAYOUT_HANDED_OVER', '2026-03-30'],
      ['PAYOUTS_IN_TRANSIT', -500, 'PAYOUT_HANDED_OVER', '2026-03-30'],
    ]);
    const uncounted = await money();
    expect(uncounted).toMatchObject({
      sold: { amount: 20.5, count: 2 },
      refunded: { amount: 3, count: 1 },
      fees: { amount: 0.2, count: 1 },
      reversed: { amount: 0, count: 0 },
      onTheWay: { dueFromBank: 8, payable: 103.3, inPayout: 5, inRefunds: 3, heldOnCards: 0 },
      before: { from: '2026-03-24', to: '2026-03-27', sold: { amount: 0, count: 0 } },
      balance: {
        ...{ sold: 119.5, refunded: 3, fees: 0.2, reversed: 0 },
        ...{ paidOut: 0, inPayout: 5, waiting: 111.3, paidDirectly: 0, heldForCases: 0 },
      },
    });
    expect(uncounted.days.map(({ day, sold, fees }) => [day, sold, fees])).toEqual([
      ['2026-03-28', 12.5, 0],
      ['2026-03-29', 0, 0.2],
      ['2026-03-30', 0, 0],
      ['2026-03-31', 8, 0],
    ]);
    await Promise.all([addUpMoneyDays(service.tools), addUpMoneyDays(service.tools)]);
    expect(await money()).toEqual(uncounted);
    await book(merchantId, paid(100, '2026-03-31'));
    const more = await money();
    expect([more.sold, more.onTheWay.dueFromBank]).toEqual([{ amount: 21.5, count: 3 }, 9]);
    await addUpMoneyDays(service.tools);
    expect(await money()).toEqual(more);
    const { sold, refunded, fees, reversed, ...places } = more.balance;
    const sum = (parts: readonly number[]) =>
      parts.reduce((all, part) => all + Math.round(part * 100), 0);
    expect(sum(Object.values(places))).toBe(sum([sold, -refunded, -fees, -reversed]));
    const lines = await listMoneyRows(service.tools, tenant, { ...period, limit: 100 });
    const netOf = (day: string) =>
      sum(lines.data.flatMap((each) => (each.occurredAt.startsWith(day) ? [each.amount] : [])));
    for (const { day, sold, refunded, reversed, fees } of more.days)
      expect([day, netOf(day)]).toEqual([day, sum([sold, -refunded, -reversed, -fees])]);
    const shown = await showStatement(service.tools, tenant, { ...period, carried: true });
    const { days: stated, net, methods, carried } = shown;
    expect(methods.map((each) => [each.method, each.net])).toEqual([['NONE', net]]);
    expect(net).toBe(sum(lines.data.map(({ amount }) => amount)) / 100);
    expect(carried).toEqual({ opening: 99, paidDirectly: 0, paidOut: 0, closing: 99 + net });
    for (const day of stated) expect([day.day, sum([day.net])]).toEqual([day.day, netOf(day.day)]);
    const exported = { SOLD: 'sold', REFUNDED: 'refunded', REVERSED: 'reversed', FEES: 'fees' };
    for (const { day, ...ofDay } of more.days)
      for (const [figure, id] of Object.entries(exported)) {
        const query = { figure: figure as 'SOLD', from: day, to: day, limit: 100 };
        const { data } = await listMoneyRows(service.tools, tenant, query);
        const pence = data.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
        expect([day, figure, pence]).toEqual([day, figure, Math.round(ofDay[id as 'sold'] * 100)]);
      }
  });

  test('counts the years of a merchant in steps, each with whole transactions', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const money = () => getMoney(service.tools, tenant, period);
    const countedDays = async (): Promise<readonly string[]> => {
      const { rows } = await owner.query(
        `select distinct day::text from money_day
         where merchant_id = $1 and account = 'MERCHANT_UNSETTLED' order by day`,
        [merchantId],
      );
      return rows.map(({ day }) => day);
    };
    await book(merchantId, [...paid(1250, '2026-03-28'), ...paid(1000, '2026-03-28')]);
    for (const day of ['2026-03-29', '2026-03-30', '2026-03-31'])
      await book(merchantId, paid(500, day));
    const uncounted = await money();
    expect(uncounted.sold).toEqual({ amount: 37.5, count: 5 });
    // An open transaction of another test keeps what came after it from being counted.
    const countUpTo = (days: number, maxSteps: number) =>
      waitUntil(async () => {
        await addUpMoneyDays(service.tools, { maxEntries: 1, maxSteps });
        return (await countedDays()).length >= days;
      });
    await countUpTo(1, 1);
    expect(await countedDays()).toEqual(['2026-03-28']);
    expect(await money()).toEqual(uncounted);
    await countUpTo(2, 1);
    expect(await countedDays()).toEqual(['2026-03-28', '2026-03-29']);
    expect(await money()).toEqual(uncounted);
    await countUpTo(4, 50);
    expect(await countedDays()).toHaveLength(4);
    expect(await money()).toEqual(uncounted);
  });

  test('counts things, not entries: once, and what came back not at all', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const refund = (reason: string, sign: 1 | -1): readonly Entry[] => [
      ['MERCHANT_PAYABLE', sign * 300, reason, '2026-03-30'],
      ['REFUNDS_IN_TRANSIT', sign * -300, reason, '2026-03-30'],
    ];
    await book(merchantId, [
      ...paid(1250, '2026-03-28'),
      ...settled(1250, '2026-03-28'),
      ['MERCHANT_UNSETTLED', 1250, 'PAYMENT_REVERSED', '2026-03-29'],
      ['COLLECTING_ACCOUNT', -1250, 'PAYMENT_REVERSED', '2026-03-29'],
      ['MERCHANT_PAYABLE', 1250, 'PAYMENT_REVERSED', '2026-03-29'],
      ['MERCHANT_UNSETTLED', -1250, 'PAYMENT_REVERSED', '2026-03-29'],
      ...refund('REFUND_HANDED_OVER', 1),
      ...refund('REFUND_HANDED_OVER', 1),
    ]);
    await makeRefunds(merchantId);
    const methods = async () => (await showStatement(service.tools, tenant, period)).methods;
    const byBank = { method: 'PAY_BY_BANK', refunded: 6, net: -6 };
    expect(await methods()).toContainEqual(expect.objectContaining(byBank));
    await addUpMoneyDays(service.tools);
    expect(await methods()).toContainEqual(expect.objectContaining(byBank));
    await book(merchantId, refund('REFUND_FAILED', -1));
    expect(await getMoney(service.tools, tenant, period)).toMatchObject({
      sold: { amount: 12.5, count: 1 },
      reversed: { amount: 12.5, count: 1 },
      refunded: { amount: 3, count: 1 },
    });
  });

  test('lists the rows that each figure is the sum of, page by page', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    await book(merchantId, [...paid(500, '2026-03-01'), ...paid(101, '2026-03-29')]);
    await addUpMoneyDays(service.tools);
    await book(merchantId, paid(202, '2026-03-30'));
    await book(merchantId, paid(303, '2026-03-31'));
    const amounts: number[] = [];
    let before: string | undefined;
    do {
      const page = await listMoneyRows(service.tools, tenant, {
        figure: 'SOLD',
        ...period,
        limit: 1,
        ...(before && { before }),
      });
      amounts.push(...page.data.map(({ amount }) => amount));
      before = page.nextBefore ?? undefined;
    } while (before);
    expect(amounts).toEqual([3.03, 2.02, 1.01]);
    const { sold } = await getMoney(service.tools, tenant, period);
    expect(sold).toEqual({ amount: 6.06, count: 3 });
  });

  test("says what today brought by the tenant's clock, whichever days are chosen", async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const today = londonDay(service.tools.clock.now());
    await book(merchantId, [...paid(500, '2026-03-29'), ...paid(250, today), ...paid(50, today)]);
    for (const query of [period, {}]) {
      const money = await getMoney(service.tools, tenant, query);
      expect(money.today).toMatchObject({ day: today, sold: { amount: 3, count: 2 } });
    }
    expect((await getMoney(service.tools, tenant, period)).sold.amount).toBe(5);
    const { today: none } = await getMoney(service.tools, service.sandbox, period);
    expect(none).toMatchObject({ day: today, sold: { amount: 0, count: 0 } });
  });

  test('shows nothing of another merchant or environment', async () => {
    const other = await service.newMerchant();
    await book(other.merchantId, paid(500, '2026-03-29'));
    const production = { merchantId: other.merchantId, environment: 'PRODUCTION' } as const;
    for (const tenant of [production, service.sandbox]) {
      expect((await getMoney(service.tools, tenant, period)).sold.count).toBe(0);
      const rows = { figure: 'SOLD', ...period, limit: 20 } as const;
      expect((await listMoneyRows(service.tools, tenant, rows)).data).toEqual([]);
    }
  });
});

test('every figure has a source of its own', () => {
  const sources = Object.values(figures).map((source) => JSON.stringify(source, asText));
  expect(new Set(sources).size).toBe(sources.length);
});

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
