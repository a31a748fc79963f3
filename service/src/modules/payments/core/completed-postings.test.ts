import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { accounts, type Posting, post } from '#modules/ledger/index.ts';
import { completedPostings, reversedPostings, settledPostings } from './completed-postings.ts';
import type { Attempt, Payment, SettlesTo } from './payment.ts';

const settlesTo = fc.constantFrom<SettlesTo>('COLLECTING_ACCOUNT', 'STORE_ACCOUNT');
const attempt = fc.record({
  amountPence: fc.bigInt({ min: 1n, max: 10n ** 13n }).map(pence),
  tipPence: fc.bigInt({ min: 0n, max: 10n ** 8n }).map(pence),
  settlesTo,
  isSettled: fc.boolean(),
  creditor: fc.constant({ sortCode: '180002', accountNumber: '00000190', name: 'Florin' }),
}) as fc.Arbitrary<Attempt>;
const payment = {
  paymentRequestId: '7f0c7a3e-0000-4000-8000-000000000001',
  store: { id: '7f0c7a3e-0000-4000-8000-000000000002' },
  now: new Date(0),
} as Payment;

const sum = (postings: readonly Posting[]): bigint =>
  postings.reduce((total, { amountPence }) => total + amountPence, 0n);
const balances = (postings: readonly Posting[]) =>
  accounts.map((account) => sum(postings.filter((posting) => posting.account === account)));
const nothing = accounts.map(() => 0n);

describe('the books of a payment', () => {
  test('balance in every transaction, whatever the amounts', () => {
    const transfer = fc.record({
      debit: fc.constantFrom(...accounts),
      credit: fc.constantFrom(...accounts),
      amount: fc.bigInt({ min: 1n, max: 10n ** 15n }).map(pence),
    });
    const about = { transactionId: 't', reason: 'r', resourceId: 'p', attemptId: null };
    fc.assert(
      fc.property(fc.array(transfer), (transfers) => {
        expect(sum(post({ ...about, occurredAt: new Date(0) }, transfers))).toBe(0n);
      }),
    );
  });

  test('balance and move the whole amount on completion, settlement and reversal', () => {
    fc.assert(
      fc.property(attempt, (paid) => {
        const total = paid.amountPence + paid.tipPence;
        for (const book of [completedPostings, settledPostings, reversedPostings]) {
          const postings = book(payment, paid, 't');
          expect(sum(postings)).toBe(0n);
          for (const { amountPence } of postings) expect([total, -total]).toContain(amountPence);
        }
      }),
    );
  });

  test('reverse exactly what was booked, settled or not', () => {
    fc.assert(
      fc.property(attempt, (paid) => {
        const booked = [
          ...completedPostings(payment, paid, 't1'),
          ...(paid.isSettled ? settledPostings(payment, paid, 't2') : []),
        ];
        const reversed = reversedPostings(payment, paid, 't3');
        expect(balances([...booked, ...reversed])).toEqual(nothing);
        expect(balances(booked)).not.toEqual(nothing);
      }),
    );
  });

  test('owe nothing from the bank after settlement', () => {
    fc.assert(
      fc.property(attempt, (paid) => {
        const due = [
          ...completedPostings(payment, paid, 't1'),
          ...settledPostings(payment, paid, 't2'),
        ].filter(({ account }) => account === 'DUE_FROM_BANK');
        expect(sum(due)).toBe(0n);
      }),
    );
  });
});
