import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankRail } from '#rails/bank-rail.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { bankRails } from '../core/bank-rails.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit } from '../test/submit-payment.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const submitAt = (bank: string) => submit(payments, bank, 'RCVD');

/** Its answers come when they are let go; the other bank's at once. */
const slowBank = () => {
  const waiting: (() => void)[] = [];
  let asked = 0;
  let most = 0;
  const rail = {
    ...payments.bank.rail,
    readPayment: async (state: string) => {
      if (state === 'slow-bank') {
        asked += 1;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          most = Math.max(most, waiting.length);
        });
      }
      const status = { isoCode: 'ACSC', isoName: 'Settled', changedAt: null };
      return { kind: 'STATUS', state, status } as const;
    },
  } satisfies BankRail;
  return {
    rail,
    waiting,
    mostAtOnce: () => most,
    asked: () => asked,
    letGo: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
};

test('a slow bank is asked some at a time, and delays no question to another bank', async () => {
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
  const jobs = paymentJobs({ ...payments.tools, bankRails: rails }, untilSeen);
  const areCompleted = async (ids: readonly string[]): Promise<boolean> => {
    const read = await Promise.all(ids.map((id) => payments.status(id)));
    return read.every(({ body }) => body.status === 'COMPLETED');
  };

  const first = jobs.askBanks();
  await waitUntil(async () => bank.asked() === 10 && (await areCompleted(quick)));
  seen();
  await first;
  expect(bank.waiting).toHaveLength(10);

  const later = await submitAt('quick-bank');
  await payments.database.system(makeDue, {});
  const second = jobs.askBanks();
  await waitUntil(() => areCompleted([later]));
  seen();
  await second;
  expect(bank.asked()).toBe(10);

  await waitUntil(async () => {
    bank.letGo();
    const round = jobs.askBanks();
    seen();
    await round;
    return bank.asked() === 25;
  });
  bank.letGo();
  await jobs.settle();
  for (const id of slow) expect((await payments.status(id)).body.status).toBe('COMPLETED');
  expect(bank.mostAtOnce()).toBe(10);
});

// What is leased stays leased: it is being asked.
const makeDue = {
  name: 'test_make_due',
  text: `update attempt set poll_at = clock_timestamp() where status = 'PENDING' and leased_until is null`,
  valueNames: [],
};
