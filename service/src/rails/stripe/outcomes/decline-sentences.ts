import type { RetryAdvice } from '#rails/card-rail.ts';

type Reason = {
  readonly codes: string;
  readonly why: string;
  /** The state of the money, when "none was taken" would mislead. */
  readonly money?: string;
  readonly advice: string;
  readonly retry: RetryAdvice;
  /** No advice of the scheme improves this one. */
  readonly isFirm?: true;
};

const nothingMoved = 'No money has been taken.';
const anotherWay = 'Please use another card or another way to pay.';
const contactBank = 'Please ask the bank that issued the card, or use another way to pay.';
const tryLater = 'Please try again in a few minutes.';

const contactMerchant = 'Please tell the merchant, or choose another way to pay.';
const checkIt = 'Please check it and try again.';

// Also for lost, stolen and suspected cards: the payer sees a general text, the merchant sees the
// code.
const declinedByBank = 'The bank that issued the card declined the payment.';

/** Codes of the processor and their meaning to the person who wanted to pay. */
export const declineSentences: readonly [Reason, ...Reason[]] = [
  {
    codes: 'generic_decline card_declined do_not_honor no_action_taken',
    why: declinedByBank,
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'lost_card stolen_card pickup_card restricted_card fraudulent merchant_blacklist',
    why: declinedByBank,
    advice: anotherWay,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'call_issuer security_violation service_not_allowed',
    why: declinedByBank,
    advice: contactBank,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'revocation_of_all_authorizations revocation_of_authorization stop_payment_order',
    why: 'The cardholder has stopped payments of this kind.',
    advice: contactBank,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'insufficient_funds',
    why: 'There is not enough money on the card.',
    advice: anotherWay,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'card_velocity_exceeded withdrawal_count_limit_exceeded',
    why: 'The payment is above a limit of the card.',
    advice: anotherWay,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'expired_card',
    why: 'The card has expired.',
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'incorrect_number invalid_number',
    why: 'The card number is not right.',
    advice: checkIt,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'incorrect_cvc invalid_cvc',
    why: 'The security code is not right.',
    advice: checkIt,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'invalid_expiry_month invalid_expiry_year',
    why: 'The expiry date is not right.',
    advice: checkIt,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'incorrect_zip incorrect_address',
    why: 'The billing address does not match the card.',
    advice: checkIt,
    retry: 'CHECK_DETAILS',
  },
  {
    codes:
      'incorrect_pin invalid_pin pin_try_exceeded offline_pin_required online_or_offline_pin_required',
    why: 'The card needs its PIN.',
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes:
      'authentication_required authentication_not_handled mobile_device_authentication_required',
    why: 'The bank wants the cardholder to confirm this payment.',
    advice: 'Please bring the customer back to pay again.',
    retry: 'BRING_CUSTOMER_BACK',
    isFirm: true,
  },
  {
    codes: 'payment_intent_authentication_failure setup_intent_authentication_failure',
    why: 'The payment was not confirmed with the bank that issued the card.',
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'card_not_supported currency_not_supported transaction_not_allowed not_permitted',
    why: 'The card cannot be used for this kind of payment.',
    advice: contactBank,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'invalid_account',
    why: 'The card or its account is not valid.',
    advice: contactBank,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'invalid_amount amount_too_large amount_too_small',
    why: 'The amount is not accepted for this card.',
    advice: contactBank,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'duplicate_transaction',
    why: 'A payment of the same amount was made with this card just now.',
    money: 'This second one was declined.',
    advice: 'Please check the first one before paying again.',
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'issuer_not_available',
    why: 'The bank that issued the card cannot be reached.',
    advice: tryLater,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'processing_error reenter_transaction try_again_later approve_with_id',
    why: 'The card network had a technical problem.',
    advice: tryLater,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'testmode_decline test_mode_live_card',
    why: 'Test cards and real cards do not mix.',
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'resource_missing payment_method_unactivated payment_method_not_available',
    why: 'The saved card is no longer at the card processor.',
    advice: anotherWay,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes:
      'HTTP_401 HTTP_403 api_key_expired account_invalid platform_api_key_expired livemode_mismatch',
    why: "The merchant's card processor does not accept the connection.",
    advice: contactMerchant,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'NOT_CHARGED',
    why: 'The payment did not reach the card network.',
    advice: 'Please try again.',
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'PROCESSOR_REFUSED',
    why: 'The card processor did not accept the payment.',
    advice: contactMerchant,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
];

export const sentenceOf = ({ why, money = nothingMoved, advice }: Reason): string =>
  `${why} ${money} ${advice}`;
