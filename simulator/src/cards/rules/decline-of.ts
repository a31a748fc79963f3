type Decline = {
  readonly code: string;
  readonly message: string;
  readonly networkCode: string;
  readonly advice: 'do_not_try_again' | 'try_again_later' | 'confirm_card_data';
};

const decline = (
  code: string,
  message: string,
  networkCode: string,
  advice: Decline['advice'],
): Decline => ({ code, message, networkCode, advice });

const declines: Readonly<Record<string, Decline>> = {
  generic_decline: decline('card_declined', 'Your card was declined.', '05', 'try_again_later'),
  insufficient_funds: decline(
    'card_declined',
    'Your card has insufficient funds.',
    '51',
    'try_again_later',
  ),
  lost_card: decline('card_declined', 'Your card was declined.', '41', 'do_not_try_again'),
  stolen_card: decline('card_declined', 'Your card was declined.', '43', 'do_not_try_again'),
  fraudulent: decline('card_declined', 'Your card was declined.', '59', 'do_not_try_again'),
  issuer_not_available: decline(
    'card_declined',
    'Your card was declined.',
    '91',
    'try_again_later',
  ),
  expired_card: decline('expired_card', 'Your card has expired.', '54', 'confirm_card_data'),
  incorrect_number: decline(
    'incorrect_number',
    'Your card number is incorrect.',
    '14',
    'confirm_card_data',
  ),
  processing_error: decline(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
    '96',
    'try_again_later',
  ),
  authentication_required: decline(
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
    '65',
    'try_again_later',
  ),
};

export const declineOf = (code: string): Decline => {
  const found = declines[code];
  if (!found) throw new Error(`no decline ${code}`);
  return found;
};

export const authenticationFailure = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. ' +
    'Please choose a different payment method and try again.',
} as const;
