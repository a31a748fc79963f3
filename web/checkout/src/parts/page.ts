import type { CheckoutCommon } from '@florin/contract';
import { type Carried, type PayQuery, payAddress, paymentFields } from '../html/pay-address.ts';
import { asLocale } from '../language/locales.ts';
import { openWords, type Words } from '../language/words.ts';

/** The input of every page of a payment. */
export type Page = Pick<CheckoutCommon, 'frame' | 'summary' | 'returnTo'> & {
  readonly words: Words;
  readonly addressOf: (query?: Omit<PayQuery, 'locale'>) => string;
  readonly carried: Carried;
  /** The hidden fields of every form of the page. */
  readonly fields: readonly (readonly [name: string, value: string])[];
};

/** Null: a picture of the page, which follows nothing and where nothing can be pressed. */
export type Assets = { readonly scriptUrl: string | null };

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
