import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCases } from '../../service/src/modules/operator-cases/index.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { jobsOf, type Money, openMoney } from './money/open-money.ts';
import { payByBank } from './money/payment-steps.ts';
import { type HubAnswer, standingOf } from './money/scripted-hub.ts';

const timeout = 240_000;
const once = { copies: 1, byStatement: false };
const order = {
  ...{ pence: 250_000_000n, tipPence: 0n, people: 1 as const, showsPayer: true },
  script: ['ACSC'] as readonly string[],
};

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const prepare = statement<Money['tenant'], never>(
  'test_parts_limit',
  sql('merchantId')`
   update merchant set payment_limit_pence = 1000000000 where merchant_id = :merchantId`,
  { guardedBy: 'nothing: no program runs' },
);

const endPeriods = statement<Money['tenant'], never>(
  'test_parts_end_periods',
  sql('merchantId', 'environment')`
   update payout set due_at = clock_timestamp(), period_ends_business_at = clock_timestamp()
     + clock_offset(:merchantId::uuid, :environment::text)
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'`,
  { guardedBy: 'nothing: no program runs' },
);

const readPayouts = statement<
  Money['tenant'],
  { readonly status: string; readonly pounds: number; readonly reasons: string }
>(
  'test_parts_payouts',
  sql('merchantId', 'environment')`
   select p.status, (p.amount_pence / 100)::int as pounds,
     (select string_agg(distinct l.reason, ' ') from payout_line l
       where l.merchant_id = :merchantId and l.payout_id = p.payout_id) as reasons
   from payout p where p.merchant_id = :merchantId and p.environment = :environment
   order by p.created_at, p.status desc`,
);

const payoutsOf = async ({ tools, tenant }: Money): Promise<readonly string[]> =>
  (await tools.database.tenant(tenant.merchantId, readPayouts, tenant)).map(
    ({ status, pounds, reasons }) => `${status} ${pounds} of ${reasons}`,
  );

const paidLine = 'PAYMENT_SETTLED';
const partsPence = [100_000_000n, 100_000_000n, 50_000_000n];

/** Everything payable is handed over, and the bank has it. */
const payOut = async (money: Money, database: Database = money.calm.database): Promise<void> => {
  await money.tools.database.tenant(money.tenant.merchantId, endPeriods, money.tenant);
  const [, submit, , fill, close] = jobsOf({ ...money.calm, database });
  await fill?.();
  await money.tools.database.tenant(money.tenant.merchantId, endPeriods, money.tenant);
  await close?.();
  await submit?.();
};

const openLargePayout = async (): Promise<Money> => {
  const money = await openMoney(service.tools, {
    ...{ databaseUrl: service.databaseUrl, provesEach: false },
  });
  await money.tools.database.system(prepare, money.tenant);
  await money.moveToEvening();
  await payByBank(money, order, { seed: 1, kill: 0, fault: 0 });
  await money.rest();
  await payOut(money);
  return money;
};

/** The bank answers about one part, which is read. */
const answers = async (money: Money, part: number, answer: HubAnswer): Promise<void> => {
  const transfer = money.hub.transfers[part];
  if (!transfer) throw new Error(`part ${part} was never ordered`);
  money.hub.answer(transfer, answer, once);
  await jobsOf(money.calm)[2]?.();
};

const leftOf = (money: Money): bigint =>
  money.hub.transfers.reduce((sum, transfer) => sum + standingOf(transfer).leftPence, 0n);

const isRight = async (money: Money): Promise<void> => {
  expect([await money.findBrokenInvariants(), money.hub.complaints]).toEqual([[], []]);
};

type Answer = readonly [part: number, answer: HubAnswer];
const all = (answer: HubAnswer): readonly Answer[] => [
  [0, answer],
  [1, answer],
  [2, answer],
];

describe('a payout above what one transfer may be', { timeout }, () => {
  const endings: readonly [string, readonly Answer[], readonly string[]][] = [
    ['whose parts all leave is paid', all('SETTLE'), [`SETTLED 2500000 of ${paidLine}`]],
    [
      'of which a part is rejected pays that part again',
      [
        [0, 'SETTLE'],
        [1, 'REJECT'],
        [2, 'SETTLE'],
      ],
      [`SETTLED 2500000 of ${paidLine}`, 'PENDING 1000000 of TRANSFER_REJECTED'],
    ],
    [
      'of which nothing leaves fails',
      all('REJECT'),
      [`FAILED 2500000 of ${paidLine}`, `PENDING 2500000 of ${paidLine}`],
    ],
    [
      'of which a part is back before the others have left pays it again',
      [
        [2, 'SETTLE'],
        [2, 'RETURN'],
        [0, 'SETTLE'],
        [1, 'SETTLE'],
      ],
      [`SETTLED 2500000 of ${paidLine}`, 'PENDING 500000 of TRANSFER_REJECTED'],
    ],
    [
      'whose last part is back, and the others never left, fails',
      [
        [2, 'SETTLE'],
        [0, 'REJECT'],
        [2, 'REJECT_LATE'],
        [1, 'REJECT'],
      ],
      [`FAILED 2500000 of ${paidLine}`, `PENDING 2500000 of ${paidLine}`],
    ],
    [
      'of which a part is returned later pays it again',
      [...all('SETTLE'), [2, 'RETURN']],
      [`SETTLED 2500000 of ${paidLine}`, 'PENDING 500000 of TRANSFER_RETURNED'],
    ],
    [
      'that is returned in all its parts has failed',
      [...all('SETTLE'), ...all('RETURN')],
      [`FAILED 2500000 of ${paidLine}`, 'PENDING 2500000 of TRANSFER_RETURNED'],
    ],
  ];
  const representatives = /a part is rejected|last part is back|is returned later/;
  test.each(endings.filter(([what]) => isLongRun || representatives.test(what)))(
    '%s',
    async (_what, said, payouts) => {
      const money = await openLargePayout();
      expect(money.hub.transfers.map(({ amountPence }) => amountPence)).toEqual(partsPence);
      expect(new Set(money.hub.transfers.map(({ messageId }) => messageId)).size).toBe(1);
      for (const [part, answer] of said) {
        await answers(money, part, answer);
        await isRight(money);
      }
      await jobsOf(money.calm)[3]?.();
      expect(await payoutsOf(money)).toEqual(payouts);
      // What is payable again is paid, once.
      await payOut(money);
      for (const at of money.hub.transfers.keys())
        if (at >= partsPence.length) await answers(money, at, 'SETTLE');
      expect(leftOf(money)).toBe(order.pence);
      await isRight(money);
      await money.cancelWaiting();
    },
  );

  test('of which a part did not arrive opens a case that names its parts', async () => {
    const money = await openLargePayout();
    await answers(money, 0, 'SETTLE');
    await answers(money, 2, 'SETTLE');
    await answers(money, 1, 'REJECT');
    const ids = money.hub.transfers.map(({ endToEndId }) => endToEndId);
    const cases = (await listCases(money.calm, null)).filter(({ subject }) => subject === ids[1]);
    expect(cases).toMatchObject([
      {
        ...{ kind: 'PAYOUT_PARTLY_PAID', status: 'OPEN' },
        evidence: {
          ...{ amountPence: '250000000', unpaidPence: '100000000' },
          parts: [
            `${ids[0]} £1000000.00 SETTLED`,
            `${ids[1]} £1000000.00 REJECTED`,
            `${ids[2]} £500000.00 SETTLED`,
          ].join(', '),
        },
      },
    ]);
    await money.cancelWaiting();
  });

  test('is paid once when the program dies between any two statements', async () => {
    for (let place = 0, isOver = false; !isOver; place += 1) {
      const money = await openLargePayout();
      const { hub } = money;
      for (const [at, transfer] of hub.transfers.entries())
        hub.answer(transfer, at === 1 ? 'REJECT' : 'SETTLE', once);
      const { database, hasDied } = dying(money.calm.database, place);
      await jobsOf({ ...money.calm, database })[2]?.().catch(() => undefined);
      isOver = !hasDied();
      await jobsOf(money.calm)[2]?.();
      await jobsOf(money.calm)[3]?.();
      expect(await payoutsOf(money)).toEqual([
        `SETTLED 2500000 of ${paidLine}`,
        'PENDING 1000000 of TRANSFER_REJECTED',
      ]);
      await isRight(money);
      await money.cancelWaiting();
    }
  });
});

/** The program dies before the statement at this place. */
const dying = (database: Database, place: number) => {
  let seen = 0;
  const live = () => {
    seen += 1;
    if (seen > place) throw new Error('the program died');
  };
  const dyingDatabase: Database = {
    ...database,
    tenant: async (merchantId, made, values) => {
      live();
      return await database.tenant(merchantId, made, values);
    },
    system: async (made, values) => {
      live();
      return await database.system(made, values);
    },
  };
  return { hasDied: () => seen > place, database: dyingDatabase };
};
