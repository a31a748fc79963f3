import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyBooks } from '../../service/src/modules/ledger/index.ts';
import { payoutLifecycle } from '../../service/src/modules/payouts/index.ts';
import { refundLifecycle } from '../../service/src/modules/refunds/index.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { endPeriod, settle } from './money/bank-steps.ts';
import { commands } from './money/commands.ts';
import { findDifferences } from './money/find-differences.ts';
import { newModel } from './money/model.ts';
import { openMoney } from './money/open-money.ts';
import { payByBank } from './money/payment-steps.ts';
import { requestRefunds, setPaused } from './money/refund-steps.ts';

// Three hundred: npm run test:model. The same again: MODEL_SEED=1234 npm run test:model, and of
// these only the sequence that failed: MODEL_PATH=31.
const runs = Number(process.env.MODEL_RUNS ?? 4);
const length = Number(process.env.MODEL_COMMANDS ?? 40);
// A short run is the same each time; a long one tries what no run has tried.
const seed = Number(process.env.MODEL_SEED ?? (runs > 4 ? Date.now() % 2 ** 31 : 1));

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** One merchant, from the first command to rest: what the model predicts is what the product says. */
const runSequence = async (sequence: Iterable<Parameters<typeof fc.asyncModelRun>[1]>) => {
  const money = await openMoney(service.tools);
  const model = newModel();
  await money.moveToEvening();
  await fc.asyncModelRun(() => ({ model, real: money }), sequence as never);
  await setPaused(model, money, false);
  await settle(model, money);
  expect(await findDifferences(model, money)).toEqual([]);
  const { merchantId } = money.tenant;
  expect(await findBrokenInvariants(service.databaseUrl, { merchantId })).toEqual([]);
  const [set] = await service.database.system(countQuarantined, { name: `${money.hub.name}-` });
  expect(set?.quarantined).toBe(money.hub.quarantined());
  await money.cancelWaiting();
};

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
  if (runs >= 50) expect(await edgesNeverWalked()).toEqual([]);
});

const calm = { seed: 1, kill: 0, fault: 0 };

test('a later, smaller refund does not overtake one that waits for money', async () => {
  const money = await openMoney(service.tools);
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
  await endPeriod(model, money, true, calm);
  await settle(model, money);
  expect(model.payouts).toMatchObject([{ status: 'PROCESSING', pence: 1_000n }]);
  expect(await refund(0, 1_000n)).toBe('PENDING BALANCE');
  await payByBank(money, { ...paid, pence: 300n }, calm);
  await settle(model, money);
  expect(await refund(1, 200n)).toBe('PENDING BALANCE');
  await money.cancelWaiting();
});

/** A model that never reaches a state proves nothing about it. */
const edgesNeverWalked = async (): Promise<readonly string[]> => {
  const rows = await service.database.system(edgesWalked, {});
  const walked = new Set(rows.map(({ edge }) => edge));
  const edges = [...refundLifecycle.edges, ...payoutLifecycle.edges];
  return edges.map(({ from, trigger }) => `${from} ${trigger}`).filter((edge) => !walked.has(edge));
};

const edgesWalked = statement<object, { readonly edge: string }>(
  'test_model_edges_walked',
  sql()`
   select distinct from_status || ' ' || trigger as edge from refund_history
   union select distinct from_status || ' ' || trigger from payout_history`,
);
