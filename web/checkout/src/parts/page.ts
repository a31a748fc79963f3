import type { CheckoutCommon } from '@florin/contract';
import type { Html } from '../html/html.ts';
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
export type Assets = { readonly scriptUrl: string | null; readonly cardScriptUrl?: string | null };

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

/** What one page adds to the document. */
export type PageParts = {
  readonly title: string;
  readonly main: Html;
  /** A summary names the payee: on a narrow screen the header does not repeat it. */
  readonly hasSummary: boolean;
  /** The header has the amount, as the steps before had it. */
  readonly hasAmount: boolean;
  /** The parameters of this page's address beyond the payment itself. */
  readonly here: Omit<PayQuery, 'locale'>;
  /** Where the state of the payment is looked for again; null: the page of the payment. */
  readonly home: string | null;
  readonly refresh: { readonly seconds: number; readonly address: string | null } | null;
  /** Reload when the state of the payment changes. */
  readonly followsChanges: boolean;
  /** Our script of card pages, and the processor's that it waits for. */
  readonly cardScript: { readonly processor: string | null } | null;
  /** Another look needs another page, the same one only other figures. Null: always another page. */
  readonly look: string | null;
  /** It tells whom to ask itself: the footer does not repeat it. */
  readonly hasContact: boolean;
  /** Without header and footer: it stands in another page. */
  readonly isBare: boolean;
};

export const emptyPageParts = {
  hasSummary: false,
  hasAmount: false,
  here: {},
  home: null,
  refresh: null,
  followsChanges: false,
  cardScript: null,
  look: null,
  hasContact: false,
  isBare: false,
} as const;
