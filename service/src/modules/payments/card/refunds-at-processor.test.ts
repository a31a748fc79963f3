import { expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { randomIds } from '#platform/clock.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import type { ProcessorRefund } from '#rails/card-rail.ts';
import { draftChange } from '../core/change-payment.ts';
import type { AttemptCard, CardRefund, Payment } from '../core/payment.ts';
import { newCardAttempt } from './attempts.ts';
import { recordRefunds } from './refunds-at-processor.ts';

const ids = randomIds();
const tools = { ids, secrets: openSecrets([ids.bytes(32)]) };
const now = new Date('2026-11-21T10:00:00.000Z');

const paidWith = (card: Partial<AttemptCard>): Payment => {
  const payment = {
    tenant: { merchantId: ids.uuid(), environment: 'SANDBOX' },
    ...{ paymentRequestId: ids.uuid(), kind: 'CARD_CHARGE', status: 'PAID', attempts: [], now },
    ...{ amountPence: pence(1_250), eventSequence: 0, clockOffsetMs: 0, store: { id: 's' } },
    ...{ merchant: { name: 'Corner Coffee' }, callbackParams: {} },
    parts: { taxPence: pence(0), servicePence: pence(0) },
  } as unknown as Payment;
  const attempt = newCardAttempt(ids, payment, {
    accountKey: 'acct_1',
    ...{ status: 'PENDING', step: 'CHARGING', amountPence: pence(1_250), tipPence: pence(0) },
    ...{ captureType: 'AUTO_CAPTURE', initiator: 'MERCHANT', paymentDevice: null },
    ...{ cardId: null, facts: null, railStateEncrypted: null, openForMs: 0 },
    ...{ firstPollMs: null, consumerName: null, applicationUserId: null },
  });
  const done = { ...attempt, status: 'COMPLETED', step: 'ENDED', pollBusinessAt: null } as const;
  const of = attempt.card && { ...attempt.card, ...card };
  return { ...payment, attempts: [{ ...done, card: of }] };
};

type Read = readonly [
  reference: string,
  pounds: number,
  status?: 'PENDING' | 'FAILED',
  id?: string,
];
const read = (refunds: readonly Read[]): readonly ProcessorRefund[] =>
  refunds.map(([reference, pounds, status, refundId]) => ({
    ...{ reference, amountPence: pence(pounds * 100), status: status ?? 'COMPLETED' },
    ...{ refundId: refundId ?? null, errorDescription: null },
  }));
const record = (payment: Payment, refunds: readonly Read[], own: readonly string[] = []) => {
  const change = draftChange(payment);
  const [attempt] = payment.attempts;
  if (!attempt) throw new Error('no attempt');
  const isWritten = recordRefunds(tools, change, attempt, read(refunds), new Set(own));
  const [after] = change.payment.attempts;
  const booked = change.postings
    .filter(({ account }) => account === 'SETTLED_BY_PROCESSOR')
    .map(({ amountPence }) => -amountPence / 100n);
  const shown = after?.card?.refunds.map(({ reference, failedAt }) =>
    failedAt ? `${reference} FAILED` : reference,
  );
  return { isWritten, booked, shown, after, payment: change.payment };
};

const unnamed = (pounds: number): CardRefund => ({
  refundId: ids.uuid(),
  reference: null,
  amountPence: pence(pounds * 100),
  refundedAt: now,
  ...{ failedAt: null, errorDescription: null },
});

test.each<[string, Partial<AttemptCard>, readonly Read[], readonly bigint[]]>([
  ['done', {}, [['re_1', 5]], [5n]],
  [
    'two at once',
    {},
    [
      ['re_1', 5],
      ['re_2', 2],
    ],
    [5n, 2n],
  ],
  ['pending', {}, [['re_1', 5, 'PENDING']], []],
  ['failed', {}, [['re_1', 5, 'FAILED']], []],
  ['ours', {}, [['re_1', 5, undefined, 'ours']], []],
  ['of another system', {}, [['re_1', 5, undefined, 'theirs']], [5n]],
  ['beside one of ours', { refundReservedPence: pence(500) }, [['re_1', 5]], [5n]],
  [
    'known as a sum',
    { refunds: [unnamed(7)] },
    [
      ['re_1', 5],
      ['re_2', 2],
    ],
    [],
  ],
  [
    'after a sum',
    { refunds: [unnamed(7)] },
    [
      ['re_1', 5],
      ['re_2', 2],
      ['re_3', 1],
    ],
    [1n],
  ],
])(
  'a refund at the processor that is %s books what was returned elsewhere',
  (_, card, refunds, booked) => {
    const first = record(paidWith(card), refunds, ['ours']);
    expect(first.booked).toEqual(booked);
    expect(first.isWritten).toBe(booked.length > 0);
    expect(record(first.payment, refunds, ['ours']).isWritten).toBe(false);
  },
);

test('a refund that fails later is reversed once, and keeps its place', () => {
  const done = record(paidWith({}), [
    ['re_1', 5],
    ['re_2', 2],
  ]);
  const failed = record(done.payment, [
    ['re_1', 5, 'FAILED'],
    ['re_2', 2],
  ]);
  expect(failed.booked).toEqual([-5n]);
  expect(failed.shown).toEqual(['re_1 FAILED', 're_2']);
  const again = record(failed.payment, [
    ['re_1', 5, 'FAILED'],
    ['re_2', 2],
  ]);
  expect(again.isWritten).toBe(false);
});

test('what leaves too little for one of ours is read again', () => {
  const ours = { refundReservedPence: pence(1_000) };
  const { booked, after } = record(paidWith(ours), [['re_1', 5]]);
  expect(booked).toEqual([]);
  expect(after?.pollBusinessAt?.getTime()).toBeGreaterThan(now.getTime());
});
