import type { CardRow } from './card-row.ts';

type Looks = Pick<CardRow, 'brand' | 'funding' | 'category' | 'country'>;
type Acts = Partial<Omit<CardRow, 'key' | 'number' | 'does'>>;

const visa: Looks = { brand: 'visa', funding: 'credit', category: 'consumer', country: 'GB' };
const mastercard: Looks = { ...visa, brand: 'mastercard' };
const notEnrolled: Acts = { threeDs: 'if-requested', authentication: 'not-enrolled' };
const challenged: Acts = { threeDs: 'always', authentication: 'challenge' };
const optional: Acts = { threeDs: 'if-requested', authentication: 'challenge' };
const declined = (code: string): Acts => ({ onSession: code, offSession: code });
const issuer = (authentication: CardRow['authentication']): Acts => ({
  threeDs: 'always',
  authentication,
});

const row = (
  key: string,
  number: string,
  does: string,
  looks: Looks,
  acts: Acts = {},
): CardRow => ({
  threeDs: 'if-requested',
  authentication: 'not-enrolled',
  onSession: null,
  offSession: null,
  ...looks,
  ...acts,
  key,
  number,
  does,
});

const needsCustomer = { offSession: 'authentication_required' };

// The catalogue of existing clients decides about its own numbers.
const catalogue = [
  row('visa', '4242424242424242', 'Pays. No 3D Secure.', visa, notEnrolled),
  row('mastercard', '5555555555554444', 'Pays. No 3D Secure.', mastercard, notEnrolled),
  row('visa_challenge', '4000000000000127', 'Challenge; can be saved.', visa, challenged),
  row(
    'mastercard_challenge',
    '5555555555550127',
    'Challenge; can be saved.',
    mastercard,
    challenged,
  ),
  row('chargeDeclined', '4000000000000002', 'Declined.', visa, declined('generic_decline')),
  row(
    'visa_noFunds',
    '4000000000000143',
    'Not enough money.',
    visa,
    declined('insufficient_funds'),
  ),
  row('chargeDeclinedExpiredCard', '4000000000000069', 'Expired.', visa, declined('expired_card')),
  row(
    'customerCancels',
    '4000000000000101',
    'The customer walks away: the payment is cancelled.',
    visa,
    declined('customer_walked_away'),
  ),
];

const brands = [
  row('visa_debit', '4000056655665556', 'Pays.', { ...visa, funding: 'debit' }),
  row('mastercard_debit', '5200828282828210', 'Pays.', { ...mastercard, funding: 'debit' }),
  row('mastercard_prepaid', '5105105105105100', 'Pays.', { ...mastercard, funding: 'prepaid' }),
  row(
    'amex',
    '378282246310005',
    'Pays; its scheme has no 3D Secure here.',
    { ...visa, brand: 'amex' },
    {
      authentication: 'not-supported',
    },
  ),
  row('discover', '6011111111111117', 'Pays.', { ...visa, brand: 'discover', country: 'US' }),
  row('jcb', '3566002020360505', 'Pays.', { ...visa, brand: 'jcb', country: 'JP' }),
  row('diners', '30569309025904', 'Pays.', { ...visa, brand: 'diners', country: 'US' }),
];

const declines = [
  row(
    'chargeDeclinedInsufficientFunds',
    '4000000000009995',
    'Not enough money.',
    visa,
    declined('insufficient_funds'),
  ),
  row('chargeDeclinedLostCard', '4000000000009987', 'Reported lost.', visa, declined('lost_card')),
  row(
    'chargeDeclinedStolenCard',
    '4000000000009979',
    'Reported stolen.',
    visa,
    declined('stolen_card'),
  ),
  row(
    'chargeDeclinedProcessingError',
    '4000000000000119',
    'The network fails.',
    visa,
    declined('processing_error'),
  ),
  row(
    'incorrectNumber',
    '4242424242424241',
    'A mistyped number.',
    visa,
    declined('incorrect_number'),
  ),
  row(
    'chargeCustomerFail',
    '4000000000000341',
    'Saves well (3DS if asked); later charges fail.',
    visa,
    {
      ...optional,
      offSession: 'generic_decline',
    },
  ),
  row(
    'checkoutFunds',
    '4544249167673670',
    'Not enough money.',
    visa,
    declined('insufficient_funds'),
  ),
  row('checkoutExpired', '4724117215951699', 'Expired.', visa, declined('expired_card')),
  row('checkoutFraud', '4897453568485113', 'Suspected fraud.', visa, declined('fraudulent')),
  row(
    'checkoutTimeout',
    '4095254802642505',
    'No word from the issuer.',
    visa,
    declined('issuer_not_available'),
  ),
];

const threeDs = [
  row(
    'authenticationRequiredOnSetup',
    '4000002500003155',
    'Challenge; later charges once saved.',
    visa,
    {
      ...challenged,
      ...needsCustomer,
      offSessionOnceSetUp: null,
    },
  ),
  row(
    'authenticationRequired',
    '4000002760003184',
    'Challenge every time, so no later charge.',
    visa,
    {
      ...challenged,
      ...needsCustomer,
    },
  ),
  row(
    'alreadySetUp',
    '4000003800000446',
    'Challenge on session; later charges pass.',
    visa,
    challenged,
  ),
  row(
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    '4000008260003178',
    'Challenge, then not enough money.',
    visa,
    { ...challenged, ...declined('insufficient_funds') },
  ),
  row('threeDSecure2Required', '4000000000003220', 'Challenge.', visa, {
    ...challenged,
    ...needsCustomer,
  }),
  row('threeDSecureRequiredChargeDeclined', '4000008400001629', 'Challenge, then declined.', visa, {
    ...challenged,
    ...declined('generic_decline'),
  }),
  row(
    'threeDSecureRequiredProcessingError',
    '4000008400001280',
    'The challenge cannot be started.',
    visa,
    {
      ...issuer('error'),
      ...needsCustomer,
    },
  ),
  row('threeDSecureOptional', '4000000000003055', 'Challenge only if asked for.', visa, optional),
  row(
    'threeDSecureOptionalProcessingError',
    '4000000000003097',
    'Fails only if 3DS is asked for.',
    visa,
    {
      threeDs: 'if-requested',
      authentication: 'error',
    },
  ),
];

const rawThreeDs = [
  row('frictionlessY', '4000000000002701', 'Authenticated without a challenge.', visa, issuer('Y')),
  row(
    'frictionlessMastercardY',
    '5200000000002235',
    'The same for Mastercard.',
    mastercard,
    issuer('Y'),
  ),
  row(
    'frictionlessN',
    '4000000000002925',
    'Not authenticated, without a challenge.',
    visa,
    issuer('N'),
  ),
  row('frictionlessA', '4000000000002719', 'Attempted; liability shifts.', visa, issuer('A')),
  row('frictionlessU', '4000000000002313', 'Unavailable; paid without it.', visa, issuer('U')),
  row('frictionlessR', '4000000000002537', 'Rejected by the issuer.', visa, issuer('R')),
  row(
    'frictionlessI',
    '4000000000002404',
    'Information only; paid without shift.',
    visa,
    issuer('I'),
  ),
  row('methodTimeout', '4000000000002354', 'The device check times out.', visa, issuer('timeout')),
  row('challengeY', '4000000000002503', 'Challenge, authenticated.', visa, challenged),
  row(
    'challengeN',
    '4000000000002370',
    'Challenge that fails whatever one does.',
    visa,
    issuer('challenge-fails'),
  ),
];

const aftermath = [
  row('createDispute', '4000000000000259', 'Pays; disputed and lost.', visa, { dispute: 'lost' }),
  row('createDisputeProductNotReceived', '4000000000002685', 'Pays; disputed and won.', visa, {
    dispute: 'won',
  }),
  row('createDisputeInquiry', '4000000000001976', 'Pays; an inquiry that is closed.', visa, {
    dispute: 'warning_closed',
  }),
  row('pendingRefund', '4000000000007726', 'Pays; a refund stays pending for a while.', visa, {
    refund: { from: 'pending', becomes: 'succeeded' },
  }),
  row('refundFail', '4000000000005126', 'Pays; a refund fails later.', visa, {
    refund: { from: 'succeeded', becomes: 'failed' },
  }),
];

const commercial = { ...visa, category: 'commercial' } as const;
const corporate = [
  row('corporateCredit', '4111111111111111', 'Pays; a company card.', commercial, optional),
  row(
    'corporateDebit',
    '4988080000000000',
    'Pays; a company card.',
    { ...commercial, funding: 'debit' },
    optional,
  ),
  row(
    'corporatePrepaid',
    '4131840000000003',
    'Pays; a company card.',
    { ...commercial, funding: 'prepaid' },
    optional,
  ),
];

export const cardTable: readonly CardRow[] = [
  ...catalogue,
  ...brands,
  ...declines,
  ...threeDs,
  ...rawThreeDs,
  ...aftermath,
  ...corporate,
];
