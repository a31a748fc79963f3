import type { CheckoutAttempt, CheckoutBank, CheckoutCardOffer } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Words } from '../language/words.ts';
import type { MessageKey } from '../messages/index.ts';
import { note } from './note.ts';
import type { Page } from './page.ts';

type Before = {
  readonly unfinished: CheckoutAttempt | null;
  readonly lastFailure: string | null;
  readonly lastFailureCode?: string | null;
  readonly failed?: CheckoutAttempt | null;
  readonly banks?: readonly CheckoutBank[];
  readonly card?: CheckoutCardOffer | null;
};

/** The same bank by one press, where it can be chosen. */
const sameBank = (
  { words, addressOf }: Page,
  { banks = [] }: Before,
  attempt: CheckoutAttempt | null,
  label: 'continueToBank' | 'tryAgainWith',
): Html | null => {
  const { institutionId, bankName: bank } = attempt ?? {};
  if (!institutionId || !bank) return null;
  if (!banks.some(({ id, isAvailable }) => id === institutionId && isAvailable)) return null;
  const address = addressOf({ institutionId, again: '1' });
  return html`<a class="button" href="${address}"><span>${words.say(label, { bank })}</span></a>`;
};

/** The outcome of the attempt before: that it is still open, or why it failed. */
export const attemptNotice = (page: Page, view: Before): Html | null => {
  const { words } = page;
  const { unfinished } = view;
  // A card page has a page of its own, which closes it first.
  if (unfinished !== null && unfinished.method !== 'CARD') {
    const { bankName: bank } = unfinished;
    return html`
      ${note('calm', words.say('unfinishedTitle', { bank }), words.say('unfinishedText'))}
      ${sameBank(page, view, unfinished, 'continueToBank')}
    `;
  }
  const code = view.lastFailureCode ?? null;
  const failure = reasonText(words, view.lastFailure, code);
  if (failure === null) return null;
  const again = !staysRefused(code) && sameBank(page, view, view.failed ?? null, 'tryAgainWith');
  const next = !again && view.banks && advice(page, view, code);
  return html`${note(failureTone(code), failure, html`${words.say('moneyNo')} ${next}`)}${again}`;
};

/** Where the list of banks follows. A bank that stopped a payment is not to be tried again at once. */
const advice = ({ words }: Page, { card }: Before, code: string | null): Html | false => {
  if (staysRefused(code)) return card ? words.say('chooseBankOrCard') : false;
  return failureTone(code) === 'warn' && words.say('adviceRetry');
};

/** What nobody approved has cost nothing. */
export const failureTone = (code: string | null): 'warn' | 'bad' =>
  code !== null && unapproved.has(keyByCode.get(code)) ? 'warn' : 'bad';

/** Codes of banks, ISO 20022 and the card network, by their meaning to a payer. */
const meanings: readonly (readonly [key: MessageKey, codes: string])[] = [
  // The payer came back without approving. The bank does not say whether they or it refused.
  ['reasonDeclined', 'access_denied U033 U036 U037 U041'],
  ['reasonDeclined', 'interaction_required consent_required account_selection_required'],
  ['reasonDeclined', 'CUST DS02 CN01 CANC'],
  ['reasonFunds', 'AM04'],
  ['reasonLimit', 'AM02 AM13 AM14 AM21 AM23 U014'],
  ['reasonPayer', 'AC02 AC05 AC06 AC10 AC13 AC16 AM03 AM11 CURR U023 AG01 AG03 AG08 AG12 NOCM'],
  ['reasonPayer', 'BE07 BE08 BE10 BE16 MD07'],
  ['reasonPayee', 'AC01 AC03 AC04 AC07 AC11 AC14 1161 1163 1165 1166 1177 1178 1180 1100 1162'],
  ['reasonPayee', 'BE01 BE04 BE06 BE11 BE17 BE22'],
  ['reasonTwice', 'AM05 DUPL DU01 DU02 DU03 DU04 DU05 1181 U009 U029 U035 U038'],
  ['reasonStopped', 'AM07 FR01 FRAD RR01 RR02 RR03 RR04 LEGL SL11 SL12 BLCK'],
  ['reasonBankProblem', 'BANK_UNAVAILABLE U000 temporarily_unavailable server_error'],
  ['reasonBankProblem', 'AGNT AG10 AG11 AB01 AB02 AB03 AB04 AB05 AB06 AB07 AB08 AB09 AB10 AB11'],
  ['reasonBankProblem', 'DC02 ED05'],
  ['reasonLapsed', 'CONSENT_ENDED NOT_APPROVED_IN_TIME invalid_grant login_required NOT_SUBMITTED'],
  ['reasonBankProblem', 'CONSENT_LOST EXCHANGE_LOST'],
  ['reasonLapsed', 'SESSION_EXPIRED APPROVED_TOO_LATE REQUEST_EXPIRED'],
  ['reasonShareTaken', 'SHARE_TAKEN'],
  ['reasonReversed', 'REVERSED'],
  ['reasonPaidLate', 'PAID_TOO_LATE'],
  ['cardDeclined', 'generic_decline card_declined do_not_honor no_action_taken call_issuer'],
  ['cardDeclined', 'lost_card stolen_card pickup_card restricted_card fraudulent'],
  ['cardDeclined', 'merchant_blacklist security_violation service_not_allowed'],
  ['cardFunds', 'insufficient_funds'],
  ['cardLimit', 'card_velocity_exceeded withdrawal_count_limit_exceeded'],
  ['cardExpired', 'expired_card'],
  ['cardDetails', 'incorrect_number invalid_number incorrect_cvc invalid_cvc'],
  ['cardDetails', 'invalid_expiry_month invalid_expiry_year incorrect_zip incorrect_address'],
  ['cardNotConfirmed', 'authentication_required authentication_not_handled'],
  ['cardNotConfirmed', 'mobile_device_authentication_required'],
  ['cardNotConfirmed', 'payment_intent_authentication_failure'],
  ['cardUnusable', 'card_not_supported currency_not_supported transaction_not_allowed'],
  ['cardUnusable', 'not_permitted invalid_account payment_method_not_available'],
  ['cardDuplicate', 'duplicate_transaction'],
  ['cardProblem', 'issuer_not_available processing_error reenter_transaction try_again_later'],
  ['cardProblem', 'approve_with_id NOT_CHARGED PROCESSOR_UNREACHABLE'],
];

const otherwise = { BANK: 'reasonOther', CARD: 'cardDeclined' } as const;

const keyByCode = new Map(
  meanings.flatMap(([key, codes]) => codes.split(' ').map((code) => [code, key] as const)),
);

const unapproved: ReadonlySet<MessageKey | undefined> = new Set([
  'cardNotConfirmed',
  'reasonDeclined',
  'reasonLapsed',
] as const);

const lasting: ReadonlySet<MessageKey | undefined> = new Set([
  'reasonFunds',
  'reasonLimit',
  'reasonPayer',
  'cardFunds',
  'cardLimit',
  'cardExpired',
  'cardUnusable',
] as const);

/** The same account or card would be refused for the same cause again. */
export const staysRefused = (code: string | null): boolean =>
  code !== null && lasting.has(keyByCode.get(code));

/**
 * Why a payment failed, in the payer's language. The bank's own sentence is English, so it is not
 * shown: a code without a more exact text has a general one.
 */
export const reasonText = (
  words: Words,
  sentence: string | null,
  code: string | null,
  method: CheckoutAttempt['method'] = 'BANK',
): Html | null => {
  const key = code === null ? undefined : keyByCode.get(code);
  if (key !== undefined) return words.say(key);
  return sentence === null ? null : words.say(otherwise[method]);
};
