type Decline = {
  readonly code: string;
  readonly message: string;
  readonly networkCode: string;
  readonly advice: 'do_not_try_again' | 'try_again_later' | 'confirm_card_data';
};

const decline = (
  networkCode: string,
  advice: Decline['advice'],
  message = 'Your card was declined.',
  code = 'card_declined',
): Decline => ({ code, message, networkCode, advice });

const tryAgain = 'An error occurred while processing your card. Try again in a little bit.';
const authenticate = 'Your card was declined. This transaction requires authentication.';

const declines: Readonly<Record<string, Decline>> = {
  generic_decline: decline('05', 'try_again_later'),
  insufficient_funds: decline('51', 'try_again_later', 'Your card has insufficient funds.'),
  lost_card: decline('41', 'do_not_try_again'),
  stolen_card: decline('43', 'do_not_try_again'),
  fraudulent: decline('59', 'do_not_try_again'),
  issuer_not_available: decline('91', 'try_again_later'),
  expired_card: decline('54', 'confirm_card_data', 'Your card has expired.', 'expired_card'),
  incorrect_number: decline(
    '14',
    'confirm_card_data',
    'Your card number is incorrect.',
    'incorrect_number',
  ),
  processing_error: decline('96', 'try_again_later', tryAgain, 'processing_error'),
  authentication_required: decline(
    '65',
    'try_again_later',
    authenticate,
    'authentication_required',
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
