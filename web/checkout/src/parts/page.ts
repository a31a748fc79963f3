import type { CheckoutFrame, CheckoutSummary, ReturnToMerchant } from '@florin/contract';
import { type PayQuery, payAddress } from '../addresses.ts';
import { asLocale } from '../locales.ts';
import { type Words, wordsOf } from '../words.ts';

export type Assets = { readonly scriptUrl: string };

/** What every page of a payment is made from. */
export type Page = {
  readonly words: Words;
  readonly frame: CheckoutFrame;
  readonly summary: CheckoutSummary;
  readonly returnTo: ReturnToMerchant;
  readonly addressOf: (query?: Omit<PayQuery, 'locale'>) => string;
};

export const pageOf = (
  frame: CheckoutFrame,
  summary: CheckoutSummary,
  returnTo: ReturnToMerchant,
): Page => {
  const words = wordsOf(asLocale(frame.locale) ?? 'en');
  return {
    words,
    frame,
    summary,
    returnTo,
    addressOf: (query = {}) =>
      payAddress(frame.paymentRequestId, { ...query, locale: words.locale }),
  };
};
