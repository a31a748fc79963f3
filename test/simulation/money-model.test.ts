import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyBooks } from '../../service/src/modules/ledger/index.ts';
import { setSwitches } from '../../service/src/modules/merchants/index.ts';
import { listCases } from '../../service/src/modules/operator-cases/index.ts';
import { payoutLifecycle } from '../../service/src/modules/payouts/index.ts';
import { refundLifecycle } from '../../service/src/modules/refunds/index.ts';
import { cancelRefund } from '../../service/src/modules/refunds/requests/cancel-refund.ts';
import { type Database, openDatabase } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { endPeriod, settle } from './money/bank-steps.ts';
import { commands } from './money/commands.ts';
import { countedDraws } from './money/count-draw.ts';
import { findDifferences } from './money/find-differences.ts';
import { endRefund, type Model, newModel } from './money/model.ts';
import { jobsOf, type Money, type Operation, openMoney } from './money/open-money.ts';
import { moveAtBank, payByBank } from './money/payment-steps.ts';
import { acceptRefund, requestOperation, requestRefunds, setPaused } from './money/refund-steps.ts';

// Three hundred: npm run test:model. The same again: MODEL_SEED=1234 npm run test:model, and of
// these only the sequence that failed: MODEL_PATH=31.
const runs = Number(process.env.MODEL_RUNS ?? 1);
const length = Number(process.env.MODEL_COMMANDS ?? (runs > 4 ? 40 : 20));
// A short run is the same each time; a long one tries what no run has tried.
const seed = Number(process.env.MODEL_SEED ?? (runs > 4 ? Date.now() % 2 ** 31 : 1));

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** One merchant, from the first command to rest: what the model predicts is what the product says. */
const runSequence = async (sequence: Iterable<Parameters<typeof fc.asyncModelRun>[1]>) => {
  const money = await openMoney(service.tools, proving());
  const model = newModel();
  await money.moveToEvening();
  await fc.asyncModelRun(() => ({ model, real: money }), sequence as never);
  await setPaused(model, money, false);
  await settle(model, money);
  expect(await findDifferences(model, money)).toEqual([]);
  expect(await money.findBrokenInvariants()).toEqual([]);
  const [set] = await service.database.system(countQuarantined, { name: `${money.hub.name}-` });
  expect(set?.quarantined).toBe(money.hub.quarantined());
  await money.cancelWaiting();
  ended += 1;
  if (ended % 10 === 0) process.stdout.write(`${ended} of ${runs} sequences\n`);
};
let ended = 0;

const countQuarantined = statement<{ readonly name: string }, { readonly quarantined: number }>(
  'test_model_quarantined',
  sql('name')`
   select count(*)::int as quarantined from bank_message
   where reference like :name || '%' and quarantine_reason is not null`,
);

test(`${runs} sequences of ${length} commands end as predicted, seed ${seed}`, {
  timeout: 24 * 3_600_000,
}, async () => {
  process.stdout.write(`MODEL_SEED=${seed} MODEL_RUNS=${runs} MODEL_COMMANDS=${length}\n`);
  const property = fc.asyncProperty(commands(length), runSequence as never);
  const path = process.env.MODEL_PATH;
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true, ...(path ? { path } : {}) });
  expect(await verifyBooks(service.tools)).toMatchObject({ isBalanced: true });
  const reached = await service.database.system(reachedStates, {});
  const lines = [
    ...[...countedDraws()].map(([kind, { drawn, effective }]) => `${kind} ${drawn}, ${effective}`),
    ...reached.map(({ what, times }) => `${what} ${times}`),
  ];
  process.stdout.write(`Commands: drawn, effective. States: reached.\n${lines.join('\n')}\n`);
  if (runs < 50) return;
  expect(kinds.filter((kind) => !countedDraws().get(kind)?.effective)).toEqual([]);
  const walked = new Set(reached.map(({ what }) => what));
  expect(mustBeReached.filter((what) => !walked.has(what))).toEqual([]);
});

/** What never happens proves nothing. */
const kinds = [
  ...['answerCardRefund', 'answerTransfer', 'cancelNewRefund', 'cancelRefund', 'changeFees'],
  ...['endAuthorisation', 'endPeriod', 'enterAccount', 'listCredit', 'moveAtBank', 'pause'],
  ...['payByBank', 'payByCard', 'payMuch', 'refundAtProcessor', 'requestRefunds', 'disputePayment'],
  ...['race', 'lie', 'takeBack'],
];
const mustBeReached = [
  ...[...refundLifecycle.edges].map(({ from, trigger }) => `refund ${from} ${trigger}`),
  ...[...payoutLifecycle.edges].map(({ from, trigger }) => `payout ${from} ${trigger}`),
  ...['submitted', 'accepted', 'rejected', 'reversed', 'authorised', 'captured']
    .concat('cancelledByMerchant', 'declinedAtProcessor', 'refundedAtProcessor', 'creditSeen')
    .concat('disputed', 'disputeWon', 'disputeLost')
    .map((trigger) => `payment ${trigger}`),
  ...['MATCHED', 'REVERSED', 'UNMATCHED'].map((status) => `credit ${status}`),
  ...['FEE_CHARGED', 'FEE_RETURNED', 'PAYMENT_REVERSED'].map((reason) => `entry ${reason}`),
  ...['payment with tip', 'payment of a split bill', 'message put aside'],
];

const proving = () => ({ databaseUrl: service.databaseUrl, provesEach: runs > 4 });

const calm = { seed: 1, kill: 0, fault: 0 };

test('a later, smaller refund does not overtake one that waits for money', async () => {
  const money = await openMoney(service.tools, proving());
  const model = newModel();
  await money.moveToEvening();
  const paid = { tipPence: 0n, people: 1, script: ['ACSC'], showsPayer: true } as const;
  const refund = async (at: number, pence: bigint): Promise<string | undefined> => {
    const payment = model.payments[at];
    if (payment) await requestRefunds(model, money, payment, [{ pence, fails: false }], calm);
    await settle(model, money);
    expect(await findDifferences(model, money)).toEqual([]);
    const { status, waitsFor } = model.refunds.at(-1) ?? {};
    return `${status} ${waitsFor}`;
  };
  await payByBank(money, { ...paid, pence: 1_000n }, calm);
  await settle(model, money);
  await endPeriod(model, money, 'BY_CLOCK', calm);
  await settle(model, money);
  expect(model.payouts).toMatchObject([{ status: 'PROCESSING', pence: 1_000n }]);
  expect(await refund(0, 1_000n)).toBe('PENDING BALANCE');
  await payByBank(money, { ...paid, pence: 300n }, calm);
  await settle(model, money);
  expect(await refund(1, 200n)).toBe('PENDING BALANCE');
  await money.cancelWaiting();
});

test('a refund that waits for an account fails once the bank has taken its payment back', async () => {
  const money = await openMoney(service.tools, proving());
  const model = newModel();
  await money.moveToEvening();
  const paid = { tipPence: 0n, people: 1, script: ['ACSC', 'RJCT'], showsPayer: false } as const;
  await payByBank(money, { ...paid, pence: 1_000n }, calm);
  await settle(model, money);
  const [payment] = model.payments;
  if (!payment) throw new Error('nothing was paid');
  await requestRefunds(model, money, payment, [{ pence: 500n, fails: false }], calm);
  await settle(model, money);
  expect(model.refunds).toMatchObject([{ waitsFor: 'REFUND_ACCOUNT_NEEDED' }]);
  await moveAtBank(money, payment, calm, []);
  await money.move(3_600_000);
  await settle(model, money);
  expect(model.refunds).toMatchObject([{ status: 'FAILED', events: 1 }]);
  expect(await findDifferences(model, money)).toEqual([]);
  const subject = model.refunds[0]?.refundId;
  const cases = (await listCases(money.calm, null)).filter((each) => each.subject === subject);
  expect(cases).toMatchObject([{ kind: 'REFUND_ACCOUNT_NEEDED', status: 'RESOLVED' }]);
  await money.cancelWaiting();
});

describe('two programs, each with connections of its own', () => {
  let database: Database;
  beforeAll(() => {
    const settings = { tenantConnections: 4, systemConnections: 2, applicationName: 'another' };
    const connectionString = service.databaseUrl;
    database = openDatabase({ ...settings, connectionString }, service.tools.log);
  });
  afterAll(() => database.close());
  const openPaid = async (pence: bigint) => {
    const money = await openMoney(service.tools, proving());
    const model = newModel();
    await money.moveToEvening();
    const paid = { pence, tipPence: 0n, people: 1, script: ['ACSC'], showsPayer: true } as const;
    await payByBank(money, paid, calm);
    await settle(model, money);
    const [payment] = model.payments;
    if (!payment) throw new Error('nothing was paid');
    return { money, model, payment, other: { ...money.calm, database } };
  };
  const endsRight = async (model: Model, money: Money): Promise<void> => {
    await settle(model, money);
    expect(await findDifferences(model, money)).toEqual([]);
    expect(await money.findBrokenInvariants()).toEqual([]);
    await money.cancelWaiting();
  };

  test('16 refunds of one payment at once never exceed what was paid', async () => {
    const { money, model, payment, other } = await openPaid(2_000n);
    const order = { pence: 150n, fails: false };
    const replies = await Promise.allSettled(
      Array.from({ length: 16 }, (_, at) =>
        requestOperation(money, payment, order)(at % 2 === 0 ? money.calm : other),
      ),
    );
    for (const reply of replies)
      if (reply.status === 'fulfilled') acceptRefund(model, payment, order, reply.value);
      else expect(reply.reason).toMatchObject({ definition: { status: 400 } });
    expect(model.refunds).toHaveLength(13);
    await endsRight(model, money);
  });

  test.each(isLongRun ? [1, 2, 3] : [1])(
    'of a cancellation and a hand-over at once one wins, order %s',
    async (seed) => {
      const { money, model, payment } = await openPaid(5_000n);
      await setPaused(model, money, true);
      const orders = Array.from({ length: 16 }, () => ({ pence: 300n, fails: false }));
      await requestRefunds(model, money, payment, orders, calm);
      await settle(model, money);
      const unpause: Operation<unknown> = (tools) =>
        setSwitches(tools, money.tenant, { transferHubPaused: false });
      const handOver: Operation<unknown> = async (tools) => {
        for (let round = 0; round < 3; round += 1) await jobsOf(tools)[0]?.();
      };
      const cancels = model.refunds.map(
        ({ refundId }): Operation<unknown> =>
          (tools) =>
            cancelRefund(tools, money.tenant, refundId),
      );
      // Step by step in an order of chance: a cancellation may begin before the pause ends, and end after
      // a hand-over.
      const workers = Array.from({ length: 12 }, () => handOver);
      const outcomes = await money.together({ ...calm, seed }, [...cancels, unpause, ...workers]);
      model.isPaused = false;
      for (const [at, refund] of model.refunds.entries())
        if (outcomes[at]?.kind === 'DONE') endRefund(refund, 'CANCELLED');
      await endsRight(model, money);
    },
  );
});

const reachedStates = statement<object, { readonly what: string; readonly times: number }>(
  'test_model_reached',
  sql()`
   select what, count(*)::int as times from (
     select 'refund ' || from_status || ' ' || trigger as what from refund_history
     union all select 'payout ' || from_status || ' ' || trigger from payout_history
     union all select 'payment ' || trigger from payment_history where subject = 'ATTEMPT'
     union all select 'credit ' || status from account_credit
     union all select 'entry ' || reason from ledger_entry
     union all select 'payment with tip' from attempt where tip_pence > 0
       and status = 'COMPLETED'
     union all select 'payment of a split bill' from attempt join payment_request
       using (merchant_id, environment, payment_request_id)
       where splits_bill and attempt.status = 'COMPLETED'
     union all select 'message put aside' from bank_message where quarantine_reason is not null
   ) each where what is not null group by what order by what`,
);
