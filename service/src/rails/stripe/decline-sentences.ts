import type { RetryAdvice } from '#rails/card-rail.ts';

type Reason = {
  readonly codes: string;
  readonly sentence: string;
  readonly retry: RetryAdvice;
  /** No advice of the scheme makes this one better. */
  readonly isFirm?: true;
};

const nothingMoved = 'No money has been taken.';
const anotherWay = 'Please use another card or another way to pay.';
const askBank = 'Please ask the bank that issued the card, or use another way to pay.';
const tryLater = 'Please try again in a few minutes.';

// Lost, stolen and suspected cards: whoever holds the card is not told. The code says it to the merchant.
const declinedByBank = `The bank that issued the card declined the payment. ${nothingMoved} ${anotherWay}`;

/** Codes of the processor, then what they mean to the person who wanted to pay. */
export const declineSentences: readonly [Reason, ...Reason[]] = [
  {
    codes: 'generic_decline card_declined do_not_honor no_action_taken revocation_of_authorization',
    sentence: declinedByBank,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'lost_card stolen_card pickup_card restricted_card fraudulent merchant_blacklist',
    sentence: declinedByBank,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'call_issuer security_violation service_not_allowed stop_payment_order',
    sentence: `The bank that issued the card declined the payment. ${nothingMoved} ${askBank}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'revocation_of_all_authorizations',
    sentence: `The cardholder stopped payments to this merchant. ${nothingMoved} ${askBank}`,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'insufficient_funds',
    sentence: `There is not enough money on the card. ${nothingMoved} ${anotherWay}`,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'card_velocity_exceeded withdrawal_count_limit_exceeded',
    sentence: `The payment is above a limit of the card. ${nothingMoved} ${anotherWay}`,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'expired_card',
    sentence: `The card has expired. ${nothingMoved} ${anotherWay}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'incorrect_number invalid_number',
    sentence: `The card number is not right. ${nothingMoved} Please check it and try again.`,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'incorrect_cvc invalid_cvc',
    sentence: `The security code is not right. ${nothingMoved} Please check it and try again.`,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'invalid_expiry_month invalid_expiry_year',
    sentence: `The expiry date is not right. ${nothingMoved} Please check it and try again.`,
    retry: 'CHECK_DETAILS',
  },
  {
    codes: 'incorrect_zip incorrect_address',
    sentence: `The billing address does not match the card. ${nothingMoved} Please check it and try again.`,
    retry: 'CHECK_DETAILS',
  },
  {
    codes:
      'incorrect_pin invalid_pin pin_try_exceeded offline_pin_required online_or_offline_pin_required',
    sentence: `The card needs its PIN. ${nothingMoved} ${anotherWay}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes:
      'authentication_required authentication_not_handled mobile_device_authentication_required',
    sentence: `The bank wants the cardholder to confirm this payment. ${nothingMoved} Please bring the customer back to pay again.`,
    retry: 'BRING_CUSTOMER_BACK',
    isFirm: true,
  },
  {
    codes: 'payment_intent_authentication_failure setup_intent_authentication_failure',
    sentence: `The payment was not confirmed with the bank that issued the card. ${nothingMoved} ${anotherWay}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes:
      'card_not_supported currency_not_supported transaction_not_allowed not_permitted new_account_information_available',
    sentence: `The card cannot be used for this kind of payment. ${nothingMoved} ${askBank}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'invalid_account',
    sentence: `The card or its account is not valid. ${nothingMoved} ${askBank}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'invalid_amount amount_too_large amount_too_small',
    sentence: `The amount is not accepted for this card. ${nothingMoved} ${askBank}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'duplicate_transaction',
    sentence:
      'A payment of the same amount was made with this card just now. Please check the card before paying again.',
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'issuer_not_available',
    sentence: `The bank that issued the card cannot be reached. ${nothingMoved} ${tryLater}`,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'processing_error reenter_transaction try_again_later approve_with_id',
    sentence: `The card network had a technical problem. ${nothingMoved} ${tryLater}`,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'testmode_decline test_mode_live_card',
    sentence: `Test cards and real cards do not mix. ${nothingMoved} ${anotherWay}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes: 'resource_missing payment_method_unactivated payment_method_not_available',
    sentence: `The saved card is no longer at the card processor. ${nothingMoved} ${anotherWay}`,
    retry: 'USE_ANOTHER_CARD',
  },
  {
    codes:
      'HTTP_401 HTTP_403 api_key_expired account_invalid platform_api_key_expired livemode_mismatch',
    sentence: `The merchant's card processor does not accept the connection. ${nothingMoved} Please tell the merchant, or choose another way to pay.`,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
  {
    codes: 'NOT_CHARGED',
    sentence: `The payment did not reach the card network. ${nothingMoved} Please try again.`,
    retry: 'TRY_AGAIN_LATER',
  },
  {
    codes: 'PROCESSOR_REFUSED',
    sentence: `The card processor did not accept the payment. ${nothingMoved} Please tell the merchant, or choose another way to pay.`,
    retry: 'DO_NOT_TRY_AGAIN',
    isFirm: true,
  },
];
