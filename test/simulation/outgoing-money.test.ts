import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setStoreAccount } from '../../service/src/modules/dashboard/stores.ts';
import { setSwitches } from '../../service/src/modules/merchants/index.ts';
import { listCases } from '../../service/src/modules/operator-cases/index.ts';
import { payoutJobs } from '../../service/src/modules/payouts/index.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { settle } from './money/bank-steps.ts';
import { type Model, newModel } from './money/model.ts';
import { jobsOf, type Money, openMoney } from './money/open-money.ts';
import { modelAccounts } from './money/open-stores.ts';
import { moveAtBank, payByBank } from './money/payment-steps.ts';
import { requestOperation, setPaused } from './money/refund-steps.ts';

const calm = { seed: 1, kill: 0, fault: 0 };
const pence = 6_000n;

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

type World = { readonly money: Money; readonly model: Model };

const order = {
  ...{ pence, tipPence: 0n, people: 1 as const, showsPayer: true },
  script: ['ACSC', 'RJCT'] as readonly string[],
};

const openPaid = async (changes: {
  pence?: bigint;
  script?: readonly string[];
}): Promise<World> => {
  const settings = { databaseUrl: service.databaseUrl, provesEach: false };
  const money = await openMoney(service.tools, settings);
  const model = newModel();
  await money.moveToEvening();
  await payByBank(money, { ...order, ...changes }, calm);
  await settle(model, money);
  return { money, model };
};

/** What was paid is in the open payout, whose period is over. */
const openWorld = async (isRefunded: boolean, paidPence = pence): Promise<World> => {
  const world = await openPaid({ pence: paidPence });
  await setPaused(world.model, world.money, true);
  if (isRefunded) {
    await refund(world);
    await handOver(world);
  }
  await endPeriod(world);
  await unpause(world);
  return world;
};

const endPeriod = ({ money }: World) =>
  money.tools.database.tenant(money.tenant.merchantId, endPeriods, money.tenant);

const endPeriods = statement<Money['tenant'], never>(
  'test_outgoing_end_periods',
  sql('merchantId', 'environment')`
   update payout set due_at = clock_timestamp(), period_ends_business_at = clock_timestamp()
     + clock_offset(:merchantId::uuid, :environment::text)
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'`,
  { guardedBy: 'nothing: no program runs' },
);

const first = ({ model }: World) => {
  const [payment] = model.payments;
  if (!payment) throw new Error('nothing was paid');
  return payment;
};
const pause = ({ money }: World) =>
  setSwitches(money.calm, money.tenant, { transferHubPaused: true });
const unpause = ({ money }: World) =>
  setSwitches(money.calm, money.tenant, { transferHubPaused: false });
const refund = ({ money, model }: World) =>
  requestOperation(money, first({ money, model }), { pence, fails: false })(money.calm);
/** To the next status of the script. */
const moveOn = (world: World) => moveAtBank(world.money, first(world), calm, []);
const reverse = moveOn;
const job =
  (at: number) =>
  async ({ money }: World): Promise<void> => {
    await jobsOf(money.calm)[at]?.();
  };
const [handOver, fill, close] = [job(0), job(3), job(4)];

/** Another program acts before the statement at this place, and only then. */
const interrupted = (
  { money }: World,
  place: number,
  act: () => Promise<unknown>,
): { readonly database: Database; readonly hasActed: () => boolean } => {
  const { database } = money.tools;
  let seen = 0;
  const before = async () => {
    seen += 1;
    if (seen - 1 === place) await act();
  };
  return {
    hasActed: () => seen > place,
    database: {
      ...database,
      tenant: async (merchantId, made, values) => {
        await before();
        return await database.tenant(merchantId, made, values);
      },
      system: async (made, values) => {
        // After the commit: what has left is not stopped any more.
        if (made.name !== 'work_lease_finish') await before();
        return await database.system(made, values);
      },
    },
  };
};

const read = statement<Money['tenant'], { readonly refunds: bigint; readonly payouts: bigint }>(
  'test_outgoing_ordered',
  sql('merchantId', 'environment')`
   select coalesce(sum(t.amount_pence) filter (where b.subject = 'REFUND'), 0)::bigint as refunds,
     coalesce(sum(t.amount_pence) filter (where b.subject = 'PAYOUT'), 0)::bigint as payouts
   from transfer t
   join transfer_batch b on b.merchant_id = :merchantId and b.environment = :environment
     and b.message_id = t.message_id
   where t.merchant_id = :merchantId and t.environment = :environment`,
);

const ordered = async ({ money }: World) => {
  const [row] = await money.tools.database.tenant(money.tenant.merchantId, read, money.tenant);
  return row ?? { refunds: 0n, payouts: 0n };
};

/** The store that was paid gets the bank account of another. */
const changeAccount = async ({ money }: World): Promise<void> => {
  const person = { personId: randomUUID(), name: 'Ada Owner' };
  const storeId = money.stores[0]?.storeId ?? '';
  expect(await setStoreAccount(money.calm, money, person, storeId, modelAccounts[1])).toBe(true);
};

type Actor = (world: World) => Promise<unknown>;

/** A job of one program, with another program at each place between its statements. */
const atEachPlace = async (
  isRefunded: boolean,
  jobAt: number,
  act: Actor,
  prove: (world: World) => Promise<void>,
): Promise<void> => {
  for (let place = 0, isOver = false; !isOver; place += 1) {
    const world = await openWorld(isRefunded);
    const { database, hasActed } = interrupted(world, place, () => act(world));
    await jobsOf({ ...world.money.calm, database })[jobAt]?.();
    isOver = !hasActed();
    if (!isOver) await prove(world);
    else expect(place).toBeGreaterThan(0);
    await world.money.cancelWaiting();
  }
};

const readWaits = statement<
  Money['tenant'],
  { readonly waits_for: string; readonly refunds: number }
>(
  'test_outgoing_waits',
  sql('merchantId', 'environment')`
   select waits_for, count(*)::int as refunds from refund
   where merchant_id = :merchantId and environment = :environment group by waits_for`,
);

const waits = ({ money }: World) =>
  money.tools.database.tenant(money.tenant.merchantId, readWaits, money.tenant);

const dayMs = 24 * 3_600_000;
const timeout = 240_000;

describe('while a payout is closed', { timeout }, () => {
  test.each<[string, Actor]>([
    ['a refund is handed over', handOver],
    [
      'a refund is handed over and its entry becomes a line',
      async (world) => {
        await handOver(world);
        await fill(world);
      },
    ],
  ])('%s: what was paid leaves once', async (_, act) => {
    await atEachPlace(true, 4, act, async (world) => {
      expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
    });
  });

  test.each<[string, Actor]>([
    ['the hub is paused', pause],
    ['the bank reverses the payment', reverse],
    ['a refund is requested', refund],
  ])('%s: nothing leaves', async (_, act) => {
    await atEachPlace(false, 4, act, async (world) => {
      expect(await ordered(world)).toEqual({ refunds: 0n, payouts: 0n });
    });
  });
});

describe('while a refund is handed over', { timeout }, () => {
  test.each<[string, Actor]>([
    ['the hub is paused', pause],
    ['the bank reverses the payment', reverse],
  ])('%s: nothing leaves', async (_, act) => {
    await atEachPlace(true, 0, act, async (world) => {
      expect(await ordered(world)).toEqual({ refunds: 0n, payouts: 0n });
    });
  });

  test('a payout is closed: what was paid leaves once', async () => {
    await atEachPlace(true, 0, close, async (world) => {
      expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
    });
  });
});

describe('when a store changes its bank account', { timeout }, () => {
  test('a refund that has left is not paid out too', async () => {
    const world = await openWorld(false);
    await refund(world);
    await handOver(world);
    await changeAccount(world);
    await close(world);
    expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
    await world.money.cancelWaiting();
  });

  test('while a refund is handed over: what was paid leaves once', async () => {
    await atEachPlace(true, 0, changeAccount, async (world) => {
      await fill(world);
      await close(world);
      const { refunds, payouts } = await ordered(world);
      expect(refunds + payouts).toBe(pence);
    });
  });
});

test('what settles after payouts were switched off is paid out', { timeout }, async () => {
  const world = await openPaid({ script: ['ACSP', 'ACSC'] });
  const { money, model } = world;
  await setSwitches(money.calm, money.tenant, { payoutsEnabled: false, refundsEnabled: false });
  await moveOn(world);
  await settle(model, money);
  await endPeriod(world);
  await close(world);
  expect(await ordered(world)).toEqual({ refunds: 0n, payouts: pence });
  await money.cancelWaiting();
});

test('an account that owes and trades no more opens a case until it owes nothing', {
  timeout,
}, async () => {
  const world = await openWorld(false);
  const { money } = world;
  await close(world);
  await reverse(world);
  await money.rest();
  const { watchAccounts } = payoutJobs(money.calm);
  const cases = async () => {
    await watchAccounts();
    const all = await listCases(money.calm, null);
    return all.filter(({ kind }) => kind === 'ACCOUNT_NEGATIVE');
  };
  await money.move(6 * dayMs);
  expect(await cases()).toEqual([]);
  await money.move(dayMs);
  expect(await cases()).toMatchObject([{ status: 'OPEN', evidence: { owedPence: 6_000 } }]);
  await payByBank(money, { ...order, script: ['ACSC'] }, calm);
  await money.rest();
  expect(await cases()).toMatchObject([{ status: 'RESOLVED' }]);
  await money.cancelWaiting();
});

test('refunds that wait for money keep those of no other merchant waiting', {
  timeout,
}, async () => {
  const poor = await openWorld(false, 16_000n);
  await close(poor);
  const { money } = poor;
  const small = { pence: 100n, fails: false };
  for (let refunds = 0; refunds < 160; refunds += 1)
    await requestOperation(money, first(poor), small)(money.calm);
  const other = await openWorld(false);
  await refund(other);
  for (let rounds = 0; rounds < 8; rounds += 1) await handOver(other);
  expect(await ordered(other)).toEqual({ refunds: pence, payouts: 0n });
  expect(await waits(poor)).toEqual([{ waits_for: 'BALANCE', refunds: 160 }]);
  await other.money.cancelWaiting();
  await money.cancelWaiting();
});
