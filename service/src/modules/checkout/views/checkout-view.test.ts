import { describe, expect, test } from 'vitest';
import { type Pence, pence } from '#kernel/pence.ts';
import type { Attempt, Payment } from '#modules/payments/index.ts';
import { sampleAttempt, samplePayment } from '#modules/payments/test/sample-payment.ts';
import { checkoutView, type PageQuery, type ViewSources } from './checkout-view.ts';
import { harbour, sampleSources } from './test/sample-sources.ts';

type Case = readonly [
  name: string,
  payment: Partial<Payment>,
  page: string,
  query?: Partial<PageQuery>,
  sources?: Partial<Omit<ViewSources, 'query' | 'payment'>>,
];

const shown = ([, payment, , query = {}, sources = {}]: Case) =>
  checkoutView(sampleSources({ payment: samplePayment(payment), query, ...sources }));

const shop = { url: 'https://shop.example/' };
const past = new Date('2026-05-04T11:59:59Z');
const suspended = { merchant: { ...samplePayment().merchant, isSuspended: true } };
const bill: Partial<Payment> = { splitsBill: true };
const tips = {
  tips: { tipId: 't', type: 'PERCENTAGE', options: [5, 10, 15], allowsCustom: true },
} as const satisfies Partial<Payment>;
const withAttempts = (...attempts: readonly Partial<Attempt>[]): Partial<Payment> => ({
  attempts: attempts.map((attempt) => sampleAttempt(attempt)),
});

const pending = { status: 'PENDING', step: 'SUBMITTED' } as const;
const completed = { status: 'COMPLETED', step: 'ENDED' } as const;
const paid: Partial<Payment> = { status: 'PAID', ...withAttempts(completed) };
const failed = { status: 'FAILED', step: 'ENDED', endedReason: 'REJECTED' } as const;
const superseded = { status: 'CANCELLED', step: 'ENDED', endedReason: 'SUPERSEDED' } as const;
const onCardPage = { method: 'CARD', step: 'AT_PROCESSOR' } as const;
const share = (amount: number, changes: Partial<Attempt>): Partial<Attempt> => ({
  amountPence: pence(amount),
  shareId: '7f0c7a3e-0000-4000-8000-000000000009',
  ...changes,
});
const mine = { applicationUserId: 'payer-1' };
const card = { formToken: 'token', savedCards: [], saves: null };
const through = (fields: object, total = '') => ({
  amount: {
    fields: {
      tip: '',
      customTip: '',
      share: '',
      paysFor: '',
      people: '',
      shareAmount: '',
      ...fields,
    },
    total,
  },
});

const whole: readonly Case[] = [
  ['nothing has happened', {}, 'CHOOSE_BANK'],
  ['a bank is chosen', {}, 'REVIEW', { institutionId: 'harbour' }],
  ['an unknown bank is chosen', {}, 'CHOOSE_BANK', { institutionId: 'nowhere' }],
  ['this device remembers the bank', {}, 'REVIEW', { rememberedBankId: 'harbour' }],
  [
    'the payer returns to the list',
    {},
    'CHOOSE_BANK',
    { rememberedBankId: 'harbour', tryAgain: true },
  ],
  ['the payer searches', {}, 'CHOOSE_BANK', { rememberedBankId: 'harbour', search: 'h' }],
  [
    'the bank has a lower limit',
    { amountPence: pence(1_000_001) },
    'CHOOSE_BANK',
    { institutionId: 'harbour' },
  ],
  [
    'the bank is down',
    {},
    'CHOOSE_BANK',
    { institutionId: 'harbour' },
    { institutions: [{ ...harbour, isEnabled: false }] },
  ],
  ['cards are chosen', {}, 'CHOOSE_CARD', { way: 'CARD' }, { card }],
  ['cards are chosen but not offered', {}, 'CHOOSE_BANK', { way: 'CARD' }],
  ['only cards are allowed', { paymentMethods: ['CARD'] }, 'CHOOSE_CARD', {}, { card }],
  ['only cards are allowed and none are offered', { paymentMethods: ['CARD'] }, 'NO_WAY_TO_PAY'],
  ['no bank exists', {}, 'NO_WAY_TO_PAY', {}, { institutions: [] }],
  ['the merchant is suspended', suspended, 'SUSPENDED'],
  ['it is suspended at the bank', { ...suspended, ...withAttempts({}) }, 'SUSPENDED'],
  ['it is suspended after the bank has it', { ...suspended, ...withAttempts(pending) }, 'WAITING'],
  ['tips are offered', tips, 'CHOOSE_AMOUNT'],
  ['a tip is chosen', tips, 'CHOOSE_BANK', through({ tip: '1' })],
  ['the tip changed meanwhile', tips, 'CHOOSE_AMOUNT', through({ tip: '1' }, '61.00')],
  ['the payer is at the bank', withAttempts({}), 'STARTED'],
  ['the payer wants another bank', withAttempts({}), 'CHOOSE_BANK', { tryAgain: true }],
  ['the payer searches', withAttempts({}), 'CHOOSE_BANK', { search: 'har' }],
  ['the payer is on the card page', withAttempts(onCardPage), 'AT_CARD_PAGE'],
  ['the bank has the payment', withAttempts(pending), 'WAITING'],
  ['an earlier attempt is pending', withAttempts(pending, superseded), 'WAITING'],
  ['it failed', withAttempts(failed), 'RESULT'],
  ['it failed and the payer tries again', withAttempts(failed), 'CHOOSE_BANK', { tryAgain: true }],
  [
    'it failed without another attempt',
    { retryAllowed: false, ...withAttempts(failed) },
    'RESULT',
    { tryAgain: true },
  ],
  ['it is paid', paid, 'RESULT', { hasOpened: true }],
  ['it is paid elsewhere', paid, 'BILL_PAID'],
  ['the way back names it, paid', paid, 'RESULT', { paymentIdempotencyId: 'FLR1' }],
  ['it is cancelled', { status: 'CANCELLED', ...withAttempts(superseded) }, 'CANCELLED'],
  ['it has expired', { status: 'EXPIRED' }, 'EXPIRED'],
  ['its time is over', { expiresBusinessAt: past }, 'EXPIRED'],
  [
    'its time is over at the bank',
    { expiresBusinessAt: past, ...withAttempts(pending) },
    'WAITING',
  ],
];

const split: readonly Case[] = [
  ['the merchant is suspended', suspended, 'SUSPENDED'],
  ['nothing has happened', bill, 'CHOOSE_AMOUNT'],
  ['a share is chosen', bill, 'CHOOSE_BANK', through({ share: 'rest' })],
  [
    'the share is more than the rest',
    { ...bill, ...withAttempts(share(5000, completed)), paidPence: pence(5000) },
    'CHOOSE_AMOUNT',
    through({ share: 'custom', shareAmount: '20' }),
  ],
  [
    'another payer has paid',
    { ...bill, ...withAttempts(share(2000, completed)), paidPence: pence(2000) },
    'CHOOSE_AMOUNT',
    { payerId: 'payer-1' },
  ],
  [
    'this payer waits for the bank',
    { ...bill, ...withAttempts(share(2000, { ...pending, ...mine })) },
    'WAITING',
    { payerId: 'payer-1' },
  ],
  [
    'this payer is on the card page',
    { ...bill, ...withAttempts(share(2000, { ...onCardPage, ...mine })) },
    'AT_CARD_PAGE',
    { payerId: 'payer-1' },
  ],
  [
    'this payer has paid',
    { ...bill, ...withAttempts(share(2000, { ...completed, ...mine })), paidPence: pence(2000) },
    'RESULT',
    { paymentIdempotencyId: 'FLR1' },
  ],
  [
    'this payer has paid and pays more',
    { ...bill, ...withAttempts(share(2000, { ...completed, ...mine })), paidPence: pence(2000) },
    'CHOOSE_AMOUNT',
    { paymentIdempotencyId: 'FLR1', tryAgain: true },
  ],
  [
    "this payer's share failed",
    { ...bill, ...withAttempts(share(2000, failed)) },
    'RESULT',
    { paymentIdempotencyId: 'FLR1' },
  ],
  [
    'others have the whole bill',
    { ...bill, ...withAttempts(share(6000, pending)) },
    'CHOOSE_AMOUNT',
    { payerId: 'payer-1' },
  ],
  [
    'others have paid it',
    { ...bill, status: 'PAID', ...withAttempts(share(6000, completed)) },
    'BILL_PAID',
    { payerId: 'payer-1' },
  ],
  ['its time is over', { ...bill, expiresBusinessAt: past }, 'EXPIRED'],
];

describe('the page', () => {
  test.each(whole.map((state) => [state[0], state] as const))(
    'of a payment when %s',
    (_, state) => {
      expect(shown(state).page).toBe(state[2]);
    },
  );

  test.each(split.map((state) => [state[0], state] as const))(
    'of a split bill when %s',
    (_, state) => {
      expect(shown(state).page).toBe(state[2]);
    },
  );
});

const resultOf = (changes: Partial<Attempt>, payment: Partial<Payment> = {}) => {
  const view = shown(['', { ...withAttempts(changes), ...payment }, 'RESULT']);
  if (view.page !== 'RESULT') throw new Error(`the page is ${view.page}`);
  return view;
};

describe('the result', () => {
  test.each([
    ['REJECTED', 'NO', true, 'AM04'],
    ['REVERSED', 'RETURNED', true, 'REVERSED'],
    ['BLOCKED', 'YES', false, 'BLCK'],
  ])(
    'of a failure %s: money moved %s, another attempt %s, for %s',
    (endedReason, moneyMoved, canRetry, code) => {
      const view = resultOf({ ...failed, endedReason, errorCode: 'AM04' });
      expect(view).toMatchObject({ outcome: 'FAILED', moneyMoved, canRetry });
      expect(view.reasonCode).toBe(code);
    },
  );

  test.each([
    ['without a merchant address', null, {}, null],
    ['with a merchant address', shop, {}, 20],
    ['when the payer stays', shop, { stays: true }, null],
    ['when the page is opened again', shop, { hasReturned: true }, null],
  ])('returns %s', (_, returnTo, changes, returnInSeconds) => {
    const query = { hasOpened: true, ...changes };
    const view = checkoutView(sampleSources({ payment: samplePayment(paid), returnTo, query }));
    expect(view).toMatchObject({ outcome: 'PAID', returnInSeconds });
  });

  test.each([
    [2000, true],
    [6000, false],
  ])('of a share of %i pence offers more: %s', (amount, canPayMore) => {
    const paid = share(amount, { ...completed, ...mine });
    const view = shown([
      '',
      { ...bill, ...withAttempts(paid), status: amount === 6000 ? 'PAID' : 'OPEN' },
      'RESULT',
      { paymentIdempotencyId: 'FLR1' },
    ]);
    expect(view).toMatchObject({ page: 'RESULT', canPayMore });
  });
});

describe('the waiting page', () => {
  test.each([
    [1, false, 2],
    [20, false, 2],
    [21, true, 15],
  ])('after %i seconds: slow %s, refreshed every %i seconds', (seconds, isSlow, refresh) => {
    const now = new Date(Date.parse('2026-05-04T12:00:00Z') + seconds * 1000);
    const view = shown(['', { ...withAttempts(pending), now }, 'WAITING']);
    expect(view).toMatchObject({ isSlow, refreshInSeconds: refresh });
  });
});

describe('the bill', () => {
  const left = (attempts: readonly Partial<Attempt>[], paidPence: Pence, payerId: string | null) =>
    shown(['', { ...bill, ...withAttempts(...attempts), paidPence }, '', { payerId }]).summary
      .split;

  test.each([
    [
      'is all left at first',
      [],
      0,
      null,
      { paidAmount: '0.00', heldAmount: '0.00', leftAmount: '60.00' },
    ],
    [
      'has a paid share',
      [share(2000, completed)],
      2000,
      null,
      { paidAmount: '20.00', heldAmount: '0.00', leftAmount: '40.00', payments: 1 },
    ],
    [
      'has a share that a bank is paying',
      [share(2000, pending)],
      0,
      null,
      { paidAmount: '0.00', heldAmount: '20.00', leftAmount: '40.00', payments: 0 },
    ],
    [
      "leaves this payer's unfinished share to them",
      [share(2000, mine)],
      0,
      'payer-1',
      { heldAmount: '0.00', leftAmount: '60.00' },
    ],
    [
      'suggests the rest without a share at another bank',
      [share(2000, mine)],
      0,
      'payer-2',
      { heldAmount: '20.00', leftAmount: '40.00' },
    ],
  ])('%s', (_, attempts, paid, payerId, expected) => {
    expect(left(attempts, pence(paid), payerId)).toMatchObject(expected);
  });
});
