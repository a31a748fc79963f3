import { afterAll, beforeAll, expect, test } from 'vitest';
import { meaningOf } from '../../service/src/modules/payments/bank/outcomes.ts';
import { cardTriggers } from '../../service/src/modules/payments/core/payment-lifecycles.ts';
import {
  attemptLifecycle,
  loadPayment,
  requestLifecycle,
} from '../../service/src/modules/payments/index.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import type { BookedPayment } from './scripted-bank.ts';
import { simulatePayment } from './simulate-payment.ts';

// Of the first sixty, these walk every edge of both lifecycles, each at least twice.
const representatives = [1, 2, 4, 5, 18, 23, 26, 29, 30, 31, 35, 47];

/** More of them: SEEDS=5000 npx vitest run test/simulation. One again: FIRST_SEED=1234 SEEDS=1. */
const listSeeds = (): readonly number[] => {
  const { SEEDS = isLongRun ? '200' : undefined, FIRST_SEED = '1' } = process.env;
  if (!SEEDS) return representatives;
  return Array.from({ length: Number(SEEDS) }, (_, index) => Number(FIRST_SEED) + index);
};
const seeds = listSeeds();

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const hasMoney = ({ script }: BookedPayment): boolean => {
  const isoCode = script.at(-1) ?? '';
  return meaningOf({ isoCode, isoName: '', changedAt: null }) !== 'REJECTED';
};

/** Differences between the bank's books and ours at rest. */
const differences = async (run: Awaited<ReturnType<typeof simulatePayment>>, tenant: object) => {
  const payment = await loadPayment(
    service.tools.database,
    tenant as Parameters<typeof loadPayment>[1],
    run.paymentRequestId,
  );
  if (!payment) return ['the payment is gone'];
  const found = [...run.bank.complaints];
  for (const booked of run.bank.payments) {
    const attempt = payment.attempts.find(
      (each) => each.paymentIdempotencyId === booked.endToEndId,
    );
    const meant = hasMoney(booked) ? 'COMPLETED' : 'FAILED';
    if (attempt?.status !== meant)
      found.push(`${attempt?.status} ${attempt?.isoStatusCode} for ${booked.script.join(' ')}`);
  }
  const known = new Set(run.bank.payments.map(({ endToEndId }) => endToEndId));
  for (const attempt of payment.attempts)
    if (attempt.status === 'COMPLETED' && !known.has(attempt.paymentIdempotencyId))
      found.push('completed without a payment at the bank');
  const taken = run.bank.payments
    .filter(hasMoney)
    .reduce((sum, each) => sum + each.amountPence, 0n);
  if (taken > payment.amountPence) found.push(`the bank took ${taken}`);
  return found;
};

test(`${seeds.length} seeded payments break no invariant`, { timeout: 1_000_000 }, async () => {
  for (const seed of seeds) {
    const run = await simulatePayment(service.tools, seed, (merchantId) =>
      findBrokenInvariants(service.databaseUrl, { merchantId }),
    );
    const { merchantId } = run.tenant;
    const broken = [
      ...run.brokenMeanwhile,
      ...run.stepper.failures.map((error) => (error as Error).stack ?? String(error)),
      ...(await differences(run, run.tenant)),
      ...(await findBrokenInvariants(service.databaseUrl, { isQuiet: true, merchantId })),
    ];
    expect(broken, `seed ${seed}\n${run.stepper.trace.join('\n')}`).toEqual([]);
  }
  expect(await edgesNeverWalked()).toEqual([]);
  expect(await findBrokenInvariants(service.databaseUrl, { isQuiet: true })).toEqual([]);
});

// These lives are paid at banks; a card's are walked in its own tests.
const ofCards = new Set<string>([...cardTriggers, 'chargeEnded']);

/** A simulation that never reaches a state proves nothing about it. */
const edgesNeverWalked = async (): Promise<readonly string[]> => {
  if (seeds.length < representatives.length) return [];
  const rows = await service.tools.database.system(triggersWalked, {});
  const walked = new Set(rows.map(({ trigger }) => trigger));
  const edges = [...attemptLifecycle.edges, ...requestLifecycle.edges];
  return edges
    .map(({ trigger }) => trigger)
    .filter((trigger) => !walked.has(trigger) && !ofCards.has(trigger));
};

const triggersWalked = statement<object, { trigger: string; times: number }>(
  'test_triggers_walked',
  sql()`select trigger, count(*)::int as times from payment_history group by trigger`,
);
