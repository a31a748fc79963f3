import type { PayQuery } from '../addresses.ts';
import type { Html } from '../html.ts';

/** What one page adds to the document. */
export type PageParts = {
  readonly title: string;
  readonly main: Html;
  /** Beyond the payment itself, what the address of this page says. */
  readonly here: Omit<PayQuery, 'locale'>;
  readonly refresh: { readonly seconds: number; readonly address: string | null } | null;
  /** Load again when the state of the payment changes. */
  readonly followsChanges: boolean;
};

export const still = { here: {}, refresh: null, followsChanges: false } as const;
