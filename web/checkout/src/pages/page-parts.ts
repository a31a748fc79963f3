import type { Html } from '../html/html.ts';
import type { PayQuery } from '../html/pay-address.ts';

/** What one page adds to the document. */
export type PageParts = {
  readonly title: string;
  readonly main: Html;
  /** A summary names the payee: on a narrow screen the header does not repeat it. */
  readonly hasSummary: boolean;
  /** The parameters of this page's address beyond the payment itself. */
  readonly here: Omit<PayQuery, 'locale'>;
  readonly refresh: { readonly seconds: number; readonly address: string | null } | null;
  /** Reload when the state of the payment changes. */
  readonly followsChanges: boolean;
  /** Another look needs another page, the same one only other figures. Null: always another page. */
  readonly look: string | null;
};

export const emptyPageParts = {
  hasSummary: false,
  here: {},
  refresh: null,
  followsChanges: false,
  look: null,
} as const;
