import type { CardRow } from './card-row.ts';

type Looks = Pick<CardRow, 'brand' | 'funding' | 'category' | 'country'>;
type Acts = Partial<Omit<CardRow, 'key' | 'number' | 'does'>>;

const visa: Looks = { brand: 'visa', funding: 'credit', category: 'consumer', country: 'GB' };
const mastercard: Looks = { ...visa, brand: 'mastercard' };
const company: Looks = { ...visa, category: 'commercial' };

const pays: Acts = {};
const challenge: Acts = { threeDs: 'always', authentication: 'challenge' };
const optional: Acts = { threeDs: 'if-requested', authentication: 'challenge' };
const needsCustomer: Acts = { ...challenge, offSession: 'authentication_required' };
const onceSetUp: Acts = { ...needsCustomer, offSessionOnceSetUp: null };
const declined = (code: string): Acts => ({ onSession: code, offSession: code });
const issuer = (authentication: CardRow['authentication']): Acts => ({
  threeDs: 'always',
  authentication,
});

const row = (key: string, number: string, does: string, acts: Acts, looks = visa): CardRow => ({
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

const failsToStart: Acts = { ...needsCustomer, authentication: 'error' };
const failsIfAsked: Acts = { authentication: 'error' };
const failsLater: Acts = { ...optional, offSession: 'generic_decline' };
const noFunds = declined('insufficient_funds');
const generic = declined('generic_decline');
const without3ds: Acts = { authentication: 'not-supported' };
const staysPending: Acts = { refund: { from: 'pending', becomes: 'succeeded' } };
const refundFails: Acts = { refund: { from: 'succeeded', becomes: 'failed' } };

export const cardTable: readonly CardRow[] = [
  // The catalogue of existing clients decides about its own numbers.
  row('visa', '4242424242424242', 'Pays. No 3D Secure.', pays),
  row('mastercard', '5555555555554444', 'Pays. No 3D Secure.', pays, mastercard),
  row('visa_challenge', '4000000000000127', 'Challenge; can be saved.', challenge),
  row(
    'mastercard_challenge',
    '5555555555550127',
    'Challenge; can be saved.',
    challenge,
    mastercard,
  ),
  row('chargeDeclined', '4000000000000002', 'Declined.', generic),
  row('visa_noFunds', '4000000000000143', 'Not enough money.', noFunds),
  row('chargeDeclinedExpiredCard', '4000000000000069', 'Expired.', declined('expired_card')),
  row(
    'customerCancels',
    '4000000000000101',
    'The customer walks away: the payment is cancelled.',
    declined('customer_walked_away'),
  ),

  // Brands.
  row('visa_debit', '4000056655665556', 'Pays.', pays, { ...visa, funding: 'debit' }),
  row('mastercard_debit', '5200828282828210', 'Pays.', pays, { ...mastercard, funding: 'debit' }),
  row('mastercard_prepaid', '5105105105105100', 'Pays.', pays, {
    ...mastercard,
    funding: 'prepaid',
  }),
  row('amex', '378282246310005', 'Pays; its scheme has no 3D Secure here.', without3ds, {
    ...visa,
    brand: 'amex',
  }),
  row('discover', '6011111111111117', 'Pays.', pays, { ...visa, brand: 'discover', country: 'US' }),
  row('jcb', '3566002020360505', 'Pays.', pays, { ...visa, brand: 'jcb', country: 'JP' }),
  row('diners', '30569309025904', 'Pays.', pays, { ...visa, brand: 'diners', country: 'US' }),

  // Declines.
  row('chargeDeclinedInsufficientFunds', '4000000000009995', 'Not enough money.', noFunds),
  row('chargeDeclinedLostCard', '4000000000009987', 'Reported lost.', declined('lost_card')),
  row('chargeDeclinedStolenCard', '4000000000009979', 'Reported stolen.', declined('stolen_card')),
  row(
    'chargeDeclinedProcessingError',
    '4000000000000119',
    'The network fails.',
    declined('processing_error'),
  ),
  row('incorrectNumber', '4242424242424241', 'A mistyped number.', declined('incorrect_number')),
  row(
    'chargeCustomerFail',
    '4000000000000341',
    'Saves well (3DS if asked); later charges fail.',
    failsLater,
  ),
  row('checkoutFunds', '4544249167673670', 'Not enough money.', noFunds),
  row('checkoutExpired', '4724117215951699', 'Expired.', declined('expired_card')),
  row('checkoutFraud', '4897453568485113', 'Suspected fraud.', declined('fraudulent')),
  row(
    'checkoutTimeout',
    '4095254802642505',
    'No word from the issuer.',
    declined('issuer_not_available'),
  ),

  // 3D Secure.
  row(
    'authenticationRequiredOnSetup',
    '4000002500003155',
    'Challenge; later charges once saved.',
    onceSetUp,
  ),
  row(
    'authenticationRequired',
    '4000002760003184',
    'Challenge every time, so no later charge.',
    needsCustomer,
  ),
  row('alreadySetUp', '4000003800000446', 'Challenge on session; later charges pass.', challenge),
  row(
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    '4000008260003178',
    'Challenge, then not enough money.',
    { ...challenge, ...noFunds },
  ),
  row('threeDSecure2Required', '4000000000003220', 'Challenge.', needsCustomer),
  row('threeDSecureRequiredChargeDeclined', '4000008400001629', 'Challenge, then declined.', {
    ...challenge,
    ...generic,
  }),
  row(
    'threeDSecureRequiredProcessingError',
    '4000008400001280',
    'The challenge cannot be started.',
    failsToStart,
  ),
  row('threeDSecureOptional', '4000000000003055', 'Challenge only if asked for.', optional),
  row(
    'threeDSecureOptionalProcessingError',
    '4000000000003097',
    'Fails only if 3DS is asked for.',
    failsIfAsked,
  ),

  // What an issuer answers.
  row('frictionlessY', '4000000000002701', 'Authenticated without a challenge.', issuer('Y')),
  row(
    'frictionlessMastercardY',
    '5200000000002235',
    'The same for Mastercard.',
    issuer('Y'),
    mastercard,
  ),
  row('frictionlessN', '4000000000002925', 'Not authenticated, without a challenge.', issuer('N')),
  row('frictionlessA', '4000000000002719', 'Attempted; liability shifts.', issuer('A')),
  row('frictionlessU', '4000000000002313', 'Unavailable; paid without it.', issuer('U')),
  row('frictionlessR', '4000000000002537', 'Rejected by the issuer.', issuer('R')),
  row('frictionlessI', '4000000000002404', 'Information only; paid without shift.', issuer('I')),
  row('methodTimeout', '4000000000002354', 'The device check times out.', issuer('timeout')),
  row('challengeY', '4000000000002503', 'Challenge, authenticated.', challenge),
  row(
    'challengeN',
    '4000000000002370',
    'Challenge that fails whatever one does.',
    issuer('challenge-fails'),
  ),

  // What comes after a payment.
  row('createDispute', '4000000000000259', 'Pays; disputed and lost.', { dispute: 'lost' }),
  row('createDisputeProductNotReceived', '4000000000002685', 'Pays; disputed and won.', {
    dispute: 'won',
  }),
  row('createDisputeInquiry', '4000000000001976', 'Pays; an inquiry that is closed.', {
    dispute: 'warning_closed',
  }),
  row(
    'pendingRefund',
    '4000000000007726',
    'Pays; a refund stays pending for a while.',
    staysPending,
  ),
  row('refundFail', '4000000000005126', 'Pays; a refund fails later.', refundFails),

  // Company cards.
  row('corporateCredit', '4111111111111111', 'Pays; a company card.', optional, company),
  row('corporateDebit', '4988080000000000', 'Pays; a company card.', optional, {
    ...company,
    funding: 'debit',
  }),
  row('corporatePrepaid', '4131840000000003', 'Pays; a company card.', optional, {
    ...company,
    funding: 'prepaid',
  }),
];
