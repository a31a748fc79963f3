import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setSwitches } from '../../service/src/modules/merchants/index.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { settle } from './money/bank-steps.ts';
import { type Model, newModel } from './money/model.ts';
import { jobsOf, type Money, openMoney } from './money/open-money.ts';
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

/** £60 was paid and is in the open payout, whose period is over. */
const openWorld = async (isRefunded: boolean): Promise<World> => {
  const settings = { databaseUrl: service.databaseUrl, provesEach: false };
  const money = await openMoney(service.tools, settings);
  const model = newModel();
  await money.moveToEvening();
  const order = { pence, tipPence: 0n, people: 1, script: ['ACSC', 'RJCT'], showsPayer: true };
  await payByBank(money, order as Parameters<typeof payByBank>[1], calm);
  await settle(model, money);
  await setPaused(model, money, true);
  if (isRefunded) {
    await refund({ money, model });
    await handOver({ money, model });
  }
  await money.tools.database.tenant(money.tenant.merchantId, endPeriods, money.tenant);
  await unpause({ money, model });
  return { money, model };
};

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
const reverse = (world: World) => moveAtBank(world.money, first(world), calm, []);
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
        await before();
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
