import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankRail } from '#rails/bank-rail.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { bankRails } from '../core/bank-rails.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit } from '../test/submit.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const submitAt = (bank: string) => submit(payments, bank, 'RCVD');

/** Answers of the slow bank are released by the test; those of the other bank come at once. */
const slowBank = () => {
  const waiting: (() => void)[] = [];
  let polled = 0;
  let highest = 0;
  const rail = {
    ...payments.bank.rail,
    readPayment: async (state: string) => {
      if (state === 'slow-bank') {
        polled += 1;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          highest = Math.max(highest, waiting.length);
        });
      }
      const status = { isoCode: 'ACSC', isoName: 'Settled', changedAt: null };
      return { kind: 'STATUS', state, status } as const;
    },
  } satisfies BankRail;
  return {
    rail,
    waiting,
    maxConcurrent: () => highest,
    polled: () => polled,
    release: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
};

test('polls of a slow bank are limited and delay no other bank', async () => {
  const slow = await Promise.all(Array.from({ length: 25 }, () => submitAt('slow-bank')));
  const quick = await Promise.all(Array.from({ length: 3 }, () => submitAt('quick-bank')));
  await payments.database.system(makeDue, {});
  const bank = slowBank();
  const rails = bankRails(
    { SANDBOX: bank.rail, PRODUCTION: null },
    { SANDBOX: 'S', PRODUCTION: 'P' },
  );
  let seen = (): void => undefined;
  const untilSeen = () =>
    new Promise<void>((resolve) => {
      seen = resolve;
    });
  const jobs = paymentJobs({ ...payments.tools, bankRails: rails }, { patience: untilSeen });
  const areCompleted = async (ids: readonly string[]): Promise<boolean> => {
    const read = await Promise.all(ids.map((id) => payments.status(id)));
    return read.every(({ body }) => body.status === 'COMPLETED');
  };

  const first = jobs.pollBanks();
  await waitUntil(async () => bank.polled() === 10 && (await areCompleted(quick)));
  seen();
  await first;
  expect(bank.waiting).toHaveLength(10);

  const later = await submitAt('quick-bank');
  await payments.database.system(makeDue, {});
  const second = jobs.pollBanks();
  await waitUntil(() => areCompleted([later]));
  seen();
  await second;
  expect(bank.polled()).toBe(10);

  await waitUntil(async () => {
    bank.release();
    const round = jobs.pollBanks();
    seen();
    await round;
    return bank.polled() === 25;
  });
  bank.release();
  await jobs.drain();
  for (const id of slow) expect((await payments.status(id)).body.status).toBe('COMPLETED');
  expect(bank.maxConcurrent()).toBe(10);
});

// A leased poll stays leased: it is running.
const makeDue = {
  name: 'test_make_due',
  text: `update attempt_poll set poll_at = now(), watch_from = now() where leased_until is null`,
  valueNames: [],
};
