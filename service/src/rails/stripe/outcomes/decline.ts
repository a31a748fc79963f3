import type Stripe from 'stripe';
import type { Decline, RetryAdvice } from '#rails/card-rail.ts';
import { plainCode } from '../account/call-processor.ts';
import { declineSentences, sentenceOf } from './decline-sentences.ts';

export type DeclineFacts = Pick<
  Stripe.StripeRawError,
  'code' | 'decline_code' | 'advice_code' | 'network_advice_code' | 'network_decline_code'
>;

/** The reason in our words, and what may be done about it. */
export const declineOf = (facts: DeclineFacts, otherwise = 'generic_decline'): Decline => {
  const code = plainCode(facts.decline_code ?? facts.code ?? otherwise);
  const known = sentences.get(code) ?? sentences.get(facts.code ?? '') ?? elsewhere(otherwise);
  return {
    code,
    description: sentenceOf(known),
    retry: known.isFirm ? known.retry : (adviceOf(facts) ?? known.retry),
    networkCode: facts.network_decline_code ? plainCode(facts.network_decline_code) : null,
  };
};

export const declineWithCode = (code: string): Decline => declineOf({ code });

const sentences = new Map(
  declineSentences.flatMap((reason) =>
    reason.codes.split(' ').map((code) => [code, reason] as const),
  ),
);

const elsewhere = (code: string) => sentences.get(code) ?? declineSentences[0];

/** The scheme's advice precedes the processor's, and both precede our table. */
const adviceOf = (facts: DeclineFacts): RetryAdvice | undefined =>
  networkAdvice.get(facts.network_advice_code ?? '') ??
  processorAdvice.get(facts.advice_code ?? '');

const networkAdvice = new Map<string, RetryAdvice>([
  ['01', 'CHECK_DETAILS'],
  ['02', 'TRY_AGAIN_LATER'],
  ['03', 'DO_NOT_TRY_AGAIN'],
  ['21', 'DO_NOT_TRY_AGAIN'],
  ['24', 'TRY_AGAIN_LATER'],
  ['25', 'TRY_AGAIN_LATER'],
  ['26', 'TRY_AGAIN_LATER'],
  ['27', 'TRY_AGAIN_LATER'],
  ['28', 'TRY_AGAIN_LATER'],
  ['29', 'TRY_AGAIN_LATER'],
  ['30', 'TRY_AGAIN_LATER'],
  ['40', 'USE_ANOTHER_CARD'],
  ['41', 'USE_ANOTHER_CARD'],
  ['42', 'DO_NOT_TRY_AGAIN'],
  ['43', 'USE_ANOTHER_CARD'],
]);

const processorAdvice = new Map<string, RetryAdvice>([
  ['confirm_card_data', 'CHECK_DETAILS'],
  ['do_not_try_again', 'DO_NOT_TRY_AGAIN'],
  ['try_again_later', 'TRY_AGAIN_LATER'],
]);
