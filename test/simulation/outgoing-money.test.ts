import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setSwitches } from '../../service/src/modules/merchants/index.ts';
import { listCases } from '../../service/src/modules/operator-cases/index.ts';
import { payoutJobs } from '../../service/src/modules/payouts/index.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { settle } from './money/bank-steps.ts';
import type { Money } from './money/open-money.ts';
import { payByBank } from './money/payment-steps.ts';
import { requestOperation } from './money/refund-steps.ts';
import {
  type Actor,
  atEachPlace,
  calm,
  changeAccount,
  close,
  endPeriod,
  fill,
  first,
  handOver,
  moveOn,
  openPaid,
  openWorld,
  order,
  ordered,
  pause,
  pence,
  refund,
  type World,
} from './outgoing-world.ts';

/** After ACSC the bank says RJCT. */
const reverse = moveOn;

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

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
    await atEachPlace(
      () => openWorld(service, true),
      4,
      act,
      async (world) => {
        expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
      },
    );
  });

  test.each<[string, Actor]>([
    ...(isLongRun ? [['the hub is paused', pause] as [string, Actor]] : []),
    ['the bank reverses the payment', reverse],
    ['a refund is requested', refund],
  ])('%s: nothing leaves', async (_, act) => {
    await atEachPlace(
      () => openWorld(service, false),
      4,
      act,
      async (world) => {
        expect(await ordered(world)).toEqual({ refunds: 0n, payouts: 0n });
      },
    );
  });
});

describe('while a refund is handed over', { timeout }, () => {
  test.each<[string, Actor]>([
    ...(isLongRun ? [['the hub is paused', pause] as [string, Actor]] : []),
    ['the bank reverses the payment', reverse],
  ])('%s: nothing leaves', async (_, act) => {
    await atEachPlace(
      () => openWorld(service, true),
      0,
      act,
      async (world) => {
        expect(await ordered(world)).toEqual({ refunds: 0n, payouts: 0n });
      },
    );
  });

  test('a payout is closed: what was paid leaves once', async () => {
    await atEachPlace(
      () => openWorld(service, true),
      0,
      close,
      async (world) => {
        expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
      },
    );
  });
});

describe('when a store changes its bank account', { timeout }, () => {
  test('a refund that has left is not paid out too', async () => {
    const world = await openWorld(service, false);
    await refund(world);
    await handOver(world);
    await changeAccount(world);
    await close(world);
    expect(await ordered(world)).toEqual({ refunds: pence, payouts: 0n });
    await world.money.cancelWaiting();
  });

  test('a payment that its bank reverses is not paid out too', async () => {
    const world = await openWorld(service, false);
    await changeAccount(world);
    await reverse(world);
    await close(world);
    expect(await ordered(world)).toEqual({ refunds: 0n, payouts: 0n });
    await world.money.cancelWaiting();
  });

  test('while a refund is handed over: what was paid leaves once', async () => {
    await atEachPlace(
      () => openWorld(service, true),
      0,
      changeAccount,
      async (world) => {
        await fill(world);
        await close(world);
        const { refunds, payouts } = await ordered(world);
        expect(refunds + payouts).toBe(pence);
      },
    );
  });
});

test('what settles after payouts were switched off is paid out', { timeout }, async () => {
  const world = await openPaid(service, { script: ['ACSP', 'ACSC'] });
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
  const world = await openWorld(service, false);
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
  const poor = await openWorld(service, false, 16_000n);
  await close(poor);
  const { money } = poor;
  const small = { pence: 100n, fails: false };
  for (let refunds = 0; refunds < 160; refunds += 1)
    await requestOperation(money, first(poor), small)(money.calm);
  const other = await openWorld(service, false);
  await refund(other);
  for (let rounds = 0; rounds < 8; rounds += 1) await handOver(other);
  expect(await ordered(other)).toEqual({ refunds: pence, payouts: 0n });
  expect(await waits(poor)).toEqual([{ waits_for: 'BALANCE', refunds: 160 }]);
  await other.money.cancelWaiting();
  await money.cancelWaiting();
});
