import { formatMoney } from '../../language/format.ts';
import type { Page } from '../page.ts';

/** What a message shows of a link to the page. */
export const sharing = ({ words, frame, summary }: Page): Sharing => ({
  title: words.plain('payTitle', {
    amount: formatMoney(words.locale, summary.totalAmount),
    merchant: frame.merchantName,
  }),
  site: frame.operatorName,
});

export type Sharing = { readonly title: string; readonly site: string };
