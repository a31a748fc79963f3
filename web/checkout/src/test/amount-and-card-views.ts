import type {
  CheckoutAmountFields,
  CheckoutCardFields,
  CheckoutCardOffer,
  CheckoutSplit,
  CheckoutTips,
  CheckoutView,
} from '@florin/contract';

type Page<Name extends CheckoutView['page']> = Extract<CheckoutView, { page: Name }>;

type Samples = {
  readonly choose: Page<'CHOOSE_BANK'>;
  readonly review: Page<'REVIEW'>;
  readonly waiting: Page<'WAITING'>;
  readonly paid: Page<'RESULT'>;
  readonly failed: Page<'RESULT'>;
};

const nothing: CheckoutAmountFields = {
  tip: '',
  customTip: '',
  share: '',
  paysFor: '',
  people: '',
  shareAmount: '',
};

const percentTips: CheckoutTips = {
  allowsCustom: true,
  options: [
    { percent: 5, amount: '2.13' },
    { percent: 10, amount: '4.25' },
    { percent: 15, amount: '6.38' },
  ],
};

const fixedTips: CheckoutTips = {
  allowsCustom: false,
  options: ['1.00', '2.00', '5.00'].map((amount) => ({ percent: null, amount })),
};

/** Four share £96.00: one has paid, one is at the bank. */
const split: CheckoutSplit = {
  billAmount: '96.00',
  paidAmount: '24.00',
  heldAmount: '24.00',
  leftAmount: '48.00',
  payments: 1,
};

const offer: CheckoutCardOffer = {
  formToken: 'card-token',
  savedCards: [],
  saves: null,
  brands: ['Visa', 'Mastercard', 'American Express'],
  wallets: ['Apple Pay', 'Google Pay'],
  deviceWallets: ['Google Pay'],
  hasFields: true,
};
const visa = { cardId: 'card-1', brand: 'Visa', lastFourDigits: '4242', expiryDate: '08/2029' };
const amex = {
  cardId: 'card-2',
  brand: 'American Express',
  lastFourDigits: '0005',
  expiryDate: '12/2027',
};

const fields: CheckoutCardFields = {
  scriptUrl: '/processor.js',
  publicKey: 'pk_1',
  clientSecret: 'cs_1_secret_2',
  sources: { scripts: [], frames: [], connections: [], pictures: [] },
};

const withoutFunds = {
  lastFailure: 'There is not enough money on the card.',
  lastFailureCode: 'insufficient_funds',
};

/** Steps and outcomes of payers who choose an amount, or pay by card. */
export const amountAndCardViews = ({ choose, review, waiting, paid, failed }: Samples) => {
  const { frame, summary, returnTo, qrSvg } = choose;
  const shortUrl = 'https://pay.example/p/Pw_IXhpSTF';
  const common = { frame, summary, returnTo };
  const before = { unfinished: null, lastFailure: null };
  const left = { amount: '48.00', totalAmount: '48.00' };
  const bill = { ...common, summary: { ...summary, ...left, splitsBill: true, split } };
  const ownShare = { ...bill.summary, amount: '24.00', totalAmount: '24.00' };
  const tip = {
    ...common,
    ...before,
    page: 'CHOOSE_AMOUNT',
    tips: percentTips,
    chosen: nothing,
    problem: null,
    qrSvg,
    shortUrl,
  } as const;
  const share = { ...tip, ...bill, tips: null } as const;
  const card = {
    ...common,
    ...before,
    page: 'CHOOSE_CARD',
    card: offer,
    offersBank: true,
  } as const;
  const byCard = {
    bankName: '',
    method: 'CARD',
    card: { brand: 'Visa', lastFourDigits: '4242' },
    startedAt: waiting.attempt.startedAt,
    paymentIdempotencyId: waiting.attempt.paymentIdempotencyId,
  } as const;
  const atCard = {
    ...common,
    page: 'AT_CARD_PAGE',
    step: 'CARD_PAGE',
    attempt: { ...byCard, card: null },
    formToken: 'card-token',
    lastFailure: null,
  } as const;
  return {
    tip,
    'tip-fixed': { ...tip, tips: fixedTips },
    'tip-wrong': {
      ...tip,
      chosen: { ...nothing, tip: 'custom', customTip: '850' },
      problem: { field: 'customTip', code: 'TIP_TOO_HIGH', amount: '85.00' },
    },
    share,
    'share-and-tip': {
      ...share,
      chosen: { ...nothing, share: 'equal', people: '4', paysFor: '2' },
      tips: {
        ...percentTips,
        options: [
          { percent: 5, amount: '2.40' },
          { percent: 10, amount: '4.80' },
          { percent: 15, amount: '7.20' },
        ],
      },
    },
    'share-wrong': {
      ...share,
      chosen: { ...nothing, share: 'custom', shareAmount: '50' },
      problem: { field: 'shareAmount', code: 'MORE_THAN_LEFT', amount: '48.00' },
    },
    'share-changed': {
      ...share,
      chosen: { ...nothing, share: 'rest' },
      problem: { field: 'share', code: 'CHANGED', amount: '48.00' },
    },
    'share-all-held': {
      ...share,
      summary: {
        ...bill.summary,
        amount: '0.00',
        totalAmount: '0.00',
        split: { ...split, heldAmount: '72.00', leftAmount: '0.00' },
      },
    },
    'review-share': {
      ...review,
      summary: {
        ...bill.summary,
        amount: '24.00',
        tipAmount: '2.40',
        totalAmount: '26.40',
        canChangeAmount: true,
      },
      carried: { share: 'equal', people: '4', paysFor: '1', tip: '1', total: '26.40' },
    },
    'waiting-share': { ...waiting, summary: ownShare },
    'paid-share': {
      ...paid,
      summary: {
        ...ownShare,
        split: { ...split, paidAmount: '48.00', heldAmount: '0.00', payments: 2 },
      },
      canPayMore: true,
      shareBill: { shortUrl, qrSvg },
    },
    'bill-paid': {
      ...bill,
      summary: {
        ...bill.summary,
        split: {
          ...split,
          paidAmount: '96.00',
          heldAmount: '0.00',
          leftAmount: '0.00',
          payments: 4,
        },
      },
      page: 'BILL_PAID',
      paidAt: '2026-05-04T13:31:02.000Z',
    },
    'choose-bank-or-card': { ...choose, card: { ...offer, savedCards: [visa, amex] } },
    'card-new': card,
    'card-saved': { ...card, card: { ...offer, savedCards: [visa, amex] } },
    'card-saves': { ...card, offersBank: false, card: { ...offer, saves: 'unscheduled' } },
    'card-saves-recurring': { ...card, card: { ...offer, saves: 'recurring' } },
    'card-open': atCard,
    'card-open-here': { ...atCard, continuesHere: true },
    'card-fields': { ...atCard, fields, card: offer, offersBank: true },
    'card-fields-declined': { ...atCard, ...withoutFunds, fields, card: offer, offersBank: true },
    'card-open-declined': { ...atCard, ...withoutFunds },
    'card-step-up': { ...atCard, step: 'STEP_UP', attempt: byCard },
    'card-waiting': { ...waiting, attempt: byCard },
    'card-paid': { ...paid, attempt: byCard },
    'card-failed': {
      ...failed,
      attempt: byCard,
      reasonCode: 'generic_decline',
      retryWays: { bank: true, card: true },
    },
  } as const satisfies Record<string, CheckoutView>;
};
