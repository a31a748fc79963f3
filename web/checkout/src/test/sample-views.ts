import type {
  CheckoutAttempt,
  CheckoutBank,
  CheckoutFrame,
  CheckoutNotice,
  CheckoutSummary,
  CheckoutView,
} from '@florin/contract';
import { amountAndCardViews } from './amount-and-card-views.ts';

// Every bank, person and shop here is invented.
const bank = (
  id: string,
  name: string,
  colour: string,
  more: Partial<CheckoutBank> = {},
): CheckoutBank => ({
  id,
  name,
  fullName: name,
  kind: 'both',
  colour,
  isPopular: false,
  isAvailable: true,
  unavailableReason: null,
  ...more,
});

const popular = { isPopular: true } as const;
const moreBanks = [
  'Ashdown Savings',
  'Birchwater',
  'Calder & Finch',
  'Dunmoor Building Society',
  'Eastgate',
  'Fennimore',
  'Glenrock Bank',
  'Hollin Private Bank',
  'Ivybridge',
  'Kestrel Money',
  'Larkspur',
  'Marlow Mutual',
];

const sampleBanks: readonly CheckoutBank[] = [
  bank('mock', 'Mock Sandbox Bank', '#1f4e79', popular),
  bank('harbour', 'Harbour & Quay', '#0b6e69', {
    ...popular,
    kind: 'personal',
    fullName: 'Harbour and Quay Bank plc',
  }),
  bank('northfield', 'Northfield Mutual', '#5b2a86', { ...popular, aliases: ['NFM'] }),
  bank('orchard', 'Orchard', '#f4c542', { ...popular, kind: 'personal' }),
  bank('copperleaf', 'Copperleaf Business', '#8a3b12', { kind: 'business' }),
  bank('royal', 'Royal Bank of Strathmore', '#24356b', { isSlow: true }),
  bank('tide', 'Tidewater', '#007aa3', { isAvailable: false, unavailableReason: 'DOWN' }),
  bank('pebble', 'Pebble', '#d1495b', {
    isAvailable: false,
    unavailableReason: 'AMOUNT_TOO_HIGH',
    limit: '10000.00',
  }),
  ...moreBanks.map((name, at) =>
    bank(`more-${at}`, name, `#${(0x335577 + at * 0x0a1306).toString(16)}`, {
      kind: at % 4 === 3 ? 'business' : 'personal',
    }),
  ),
];

const sampleFrame: CheckoutFrame = {
  locale: 'en',
  environment: 'SANDBOX',
  paymentRequestId: '3f0c8f5e-1a52-4c1b-9f43-5d2f8f0e7a11',
  merchantName: 'Marigold & Moss',
  storeName: 'Camden',
  storeAddress: '12 Parkway, London',
  avatarUrl: null,
  accentColour: null,
  operatorName: 'Florin',
  version: 3,
  scenarios: [
    { input: 'approve', outcome: 'The payment succeeds.' },
    { input: 'insufficient-funds', outcome: 'The bank rejects the payment.' },
  ],
};

const sampleSummary: CheckoutSummary = {
  amount: '42.50',
  tipAmount: null,
  totalAmount: '42.50',
  currency: 'GBP',
  orderId: 'MM-2026-10417',
  notes: null,
  payeeName: 'MARIGOLD AND MOSS LTD',
  reference: 'MM202610417',
  expiresAt: '2026-05-04T13:35:00.000Z',
  now: '2026-05-04T13:32:07.000Z',
  tipsEnabled: false,
  splitsBill: false,
  moreTime: { formToken: 'more-token' },
};

/** What a merchant can say at most in a few lines, with a name as long as it may be. */
const itemised: CheckoutSummary = {
  ...sampleSummary,
  lineItems: [
    { name: 'Fern in a terracotta pot', quantity: 2, amount: '39.00' },
    { name: 'Watering can, '.repeat(7).slice(0, 100), quantity: 1, amount: '8.50' },
    { name: 'Members’ discount', quantity: 1, amount: '-5.00' },
  ],
  payerNote: 'Your order is packed on Friday.\n\nRing <Anna> if nobody opens.',
};

const sampleAttempt: CheckoutAttempt = {
  bankName: 'Harbour & Quay',
  institutionId: 'harbour',
  startedAt: '2026-05-04T13:30:12.000Z',
  paymentIdempotencyId: 'F7k2mQ9xR4tB8vN3cL6pW1sZ5',
};

const rows = Array.from({ length: 37 * 37 }, (_, at) =>
  (at * 7919 + at * at) % 5 < 2 ? `M${at % 37} ${Math.floor(at / 37)}.5h1` : '',
);

const sampleQr =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 45 45" shape-rendering="crispEdges">` +
  `<path fill="#fff" d="M-4-4h45v45h-45z"/><path stroke="#000" d="${rows.join('')}"/></svg>`;

const receiptMail = { isCaught: true, state: 'OPEN', formToken: 'mail-token', email: '' } as const;

const returnTo = { url: 'https://shop.example/thanks?status=x' };
const common = { frame: sampleFrame, summary: sampleSummary, returnTo };

const [harbour = bank('harbour', 'Harbour & Quay', '#0b6e69')] = sampleBanks.filter(
  ({ id }) => id === 'harbour',
);

const sampleChooseBank: Extract<CheckoutView, { page: 'CHOOSE_BANK' }> = {
  ...common,
  page: 'CHOOSE_BANK',
  banks: sampleBanks,
  search: '',
  unfinished: null,
  lastFailure: null,
  qrSvg: sampleQr,
};

const sampleReview: Extract<CheckoutView, { page: 'REVIEW' }> = {
  ...common,
  page: 'REVIEW',
  bank: harbour,
  formToken: 'form-token',
  qrSvg: sampleQr,
};

const waiting = {
  ...common,
  page: 'WAITING',
  attempt: sampleAttempt,
  isSlow: false,
  slowInSeconds: 20,
  refreshInSeconds: 2,
} as const;

const samplePaid = {
  ...common,
  page: 'RESULT',
  outcome: 'PAID',
  attempt: sampleAttempt,
  reason: null,
  moneyMoved: 'YES',
  receiptMail,
  canRetry: false,
  paidAt: '2026-05-04T13:31:02.000Z',
  returnInSeconds: null,
} as const;

const failed = {
  ...samplePaid,
  outcome: 'FAILED',
  reason: 'There is not enough money in the account.',
  reasonCode: 'AM04',
  moneyMoved: 'NO',
  canRetry: true,
  paidAt: null,
} as const;

/** Every page, and every state of it that looks different. */
export const sampleViews = {
  'choose-bank': sampleChooseBank,
  'choose-with-items': { ...sampleChooseBank, summary: itemised },
  'choose-after-failure': {
    ...sampleChooseBank,
    lastFailure: 'The payment was declined at the bank.',
    lastFailureCode: 'access_denied',
    unfinished: sampleAttempt,
    lastUsedBankId: 'harbour',
  },
  'choose-all-down': {
    ...sampleChooseBank,
    banks: sampleBanks.filter(({ isAvailable }) => !isAvailable),
  },
  search: { ...sampleChooseBank, search: 'harbor' },
  'search-nothing': { ...sampleChooseBank, search: 'zzzzzz' },
  review: sampleReview,
  started: {
    ...common,
    page: 'STARTED',
    attempt: sampleAttempt,
    isElsewhere: false,
    canContinue: true,
    offersCard: true,
  },
  'started-elsewhere': {
    ...common,
    page: 'STARTED',
    attempt: sampleAttempt,
    isElsewhere: true,
    canContinue: true,
    offersCard: false,
  },
  'review-parts': {
    ...sampleReview,
    summary: { ...sampleSummary, taxAmount: '6.67', serviceAmount: '2.50' },
  },
  'review-tip': {
    ...sampleReview,
    summary: { ...sampleSummary, tipAmount: '4.25', totalAmount: '46.75', notes: 'Table 12' },
  },
  waiting,
  'waiting-slow': { ...waiting, isSlow: true, slowInSeconds: 0 },
  paid: samplePaid,
  'paid-with-items': { ...samplePaid, summary: itemised },
  'paid-returning': { ...samplePaid, returnInSeconds: 20 },
  'paid-wrong-email': {
    ...samplePaid,
    receiptMail: { ...receiptMail, state: 'WRONG_ADDRESS', email: 'name@example' },
  },
  'paid-mail-requested': { ...samplePaid, receiptMail: { ...receiptMail, state: 'ASKED' } },
  'paid-mail-often': { ...samplePaid, receiptMail: { ...receiptMail, state: 'TOO_OFTEN' } },
  failed,
  'failed-for-good': { ...failed, reasonCode: 'AC04', canRetry: false },
  'failed-returned': { ...failed, moneyMoved: 'RETURNED', canRetry: false },
  ...amountAndCardViews({
    choose: sampleChooseBank,
    review: sampleReview,
    waiting,
    paid: samplePaid,
    failed,
  }),
  'no-cards': { ...common, page: 'NO_WAY_TO_PAY', takesOnlyCards: true, lastFailure: null },
  'no-way-after-failure': {
    ...common,
    page: 'NO_WAY_TO_PAY',
    takesOnlyCards: false,
    lastFailure: 'The payment was declined at the bank.',
    lastFailureCode: 'access_denied',
  },
  suspended: { ...common, page: 'SUSPENDED', isUnfinished: false },
  expired: { ...common, page: 'EXPIRED' },
  cancelled: { ...common, page: 'CANCELLED' },
} as const satisfies Record<string, CheckoutView>;

export const sampleNotices = {
  'not-found': { page: 'NOT_FOUND' },
  'bad-return': { page: 'BAD_RETURN' },
  suspended: { page: 'MERCHANT_SUSPENDED', merchantName: 'Corner Coffee' },
  unavailable: { page: 'UNAVAILABLE', requestId: 'req_8sK2fQ' },
  'fragment-return': { page: 'FRAGMENT_RETURN', payUrl: '/pay?paymentRequestId=x' },
} as const satisfies Record<string, CheckoutNotice>;

export const inLocale = (view: CheckoutView, locale: string): CheckoutView => ({
  ...view,
  frame: { ...view.frame, locale },
});

export { sampleChooseBank, sampleFrame, samplePaid, sampleReview, sampleSummary };
