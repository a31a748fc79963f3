import type { CheckoutCommon } from '@florin/contract';
import { type Carried, type PayQuery, payAddress, paymentFields } from '../html/pay-address.ts';
import { asLocale } from '../language/locales.ts';
import { openWords, type Words } from '../language/words.ts';

/** What every page of a payment is made from. */
export type Page = Pick<CheckoutCommon, 'frame' | 'summary' | 'returnTo'> & {
  readonly words: Words;
  readonly addressOf: (query?: Omit<PayQuery, 'locale'>) => string;
  readonly carried: Carried;
  /** What every form of the page sends with it. */
  readonly fields: readonly (readonly [name: string, value: string])[];
};

export type Assets = { readonly scriptUrl: string };

export const createPage = ({ frame, summary, returnTo, carried = {} }: CheckoutCommon): Page => {
  const words = openWords(asLocale(frame.locale) ?? 'en');
  const { paymentRequestId } = frame;
  return {
    words,
    frame,
    summary,
    returnTo,
    carried,
    addressOf: (query = {}) =>
      payAddress(paymentRequestId, { ...query, locale: words.locale }, carried),
    fields: [...paymentFields(paymentRequestId, words.locale), ...Object.entries(carried)],
  };
};
