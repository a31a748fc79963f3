import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { setStoreAccount } from '../../service/src/modules/dashboard/stores.ts';
import { setSwitches } from '../../service/src/modules/merchants/index.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import type { TestService } from '../harness/open-test-service.ts';
import { settle } from './money/bank-steps.ts';
import { type Model, newModel } from './money/model.ts';
import { jobsOf, type Money, openMoney } from './money/open-money.ts';
import { modelAccounts } from './money/open-stores.ts';
import { moveAtBank, payByBank } from './money/payment-steps.ts';
import { requestOperation, setPaused } from './money/refund-steps.ts';

export const calm = { seed: 1, kill: 0, fault: 0 };
export const pence = 6_000n;

export type World = { readonly money: Money; readonly model: Model };

export const order = {
  ...{ pence, tipPence: 0n, people: 1 as const, showsPayer: true },
  script: ['ACSC', 'RJCT'] as readonly string[],
};

export const openPaid = async (
  service: TestService,
  changes: { readonly pence?: bigint; readonly script?: readonly string[] },
): Promise<World> => {
  const settings = { databaseUrl: service.databaseUrl, provesEach: false };
  const money = await openMoney(service.tools, settings);
  const model = newModel();
  await money.moveToEvening();
  await payByBank(money, { ...order, ...changes }, calm);
  await settle(model, money);
  return { money, model };
};

/** What was paid is in the open payout, whose period is over. */
export const openWorld = async (
  service: TestService,
  isRefunded: boolean,
  paidPence = pence,
): Promise<World> => {
  const world = await openPaid(service, { pence: paidPence });
  await setPaused(world.model, world.money, true);
  if (isRefunded) {
    await refund(world);
    await handOver(world);
  }
  await endPeriod(world);
  await unpause(world);
  return world;
};

export const endPeriod = ({ money }: World) =>
  money.tools.database.tenant(money.tenant.merchantId, endPeriods, money.tenant);

const endPeriods = statement<Money['tenant'], never>(
  'test_outgoing_end_periods',
  sql('merchantId', 'environment')`
   update payout set due_at = clock_timestamp(), period_ends_business_at = clock_timestamp()
     + clock_offset(:merchantId::uuid, :environment::text)
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'`,
  { guardedBy: 'nothing: no program runs' },
);

export const first = ({ model }: World) => {
  const [payment] = model.payments;
  if (!payment) throw new Error('nothing was paid');
  return payment;
};
export const pause = ({ money }: World) =>
  setSwitches(money.calm, money.tenant, { transferHubPaused: true });
const unpause = ({ money }: World) =>
  setSwitches(money.calm, money.tenant, { transferHubPaused: false });
export const refund = ({ money, model }: World) =>
  requestOperation(money, first({ money, model }), { pence, fails: false })(money.calm);
/** To the next status of the script. */
export const moveOn = (world: World) => moveAtBank(world.money, first(world), calm, []);
const job =
  (at: number) =>
  async ({ money }: World): Promise<void> => {
    await jobsOf(money.calm)[at]?.();
  };
export const [handOver, fill, close] = [job(0), job(3), job(4)];

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

export const ordered = async ({ money }: World) => {
  const [row] = await money.tools.database.tenant(money.tenant.merchantId, read, money.tenant);
  return row ?? { refunds: 0n, payouts: 0n };
};

/** The store that was paid gets the bank account of another. */
export const changeAccount = async ({ money }: World): Promise<void> => {
  const person = { personId: randomUUID(), name: 'Ada Owner' };
  const storeId = money.stores[0]?.storeId ?? '';
  expect(await setStoreAccount(money.calm, money, person, storeId, modelAccounts[1])).toBe(true);
};

export type Actor = (world: World) => Promise<unknown>;

/** A job of one program, with another program at each place between its statements. */
export const atEachPlace = async (
  open: () => Promise<World>,
  jobAt: number,
  act: Actor,
  prove: (world: World) => Promise<void>,
): Promise<void> => {
  for (let place = 0, isOver = false; !isOver; place += 1) {
    const world = await open();
    const { database, hasActed } = interrupted(world, place, () => act(world));
    await jobsOf({ ...world.money.calm, database })[jobAt]?.();
    isOver = !hasActed();
    if (!isOver) await prove(world);
    else expect(place).toBeGreaterThan(0);
    await world.money.cancelWaiting();
  }
};
