import type { CheckoutView } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import type { PageQuery } from './checkout-view.ts';

/** An app offers no tips; one that a till has set stays part of the amount. */
export const withoutTips = (payment: Payment): Payment => ({ ...payment, tips: null });

/** Marks the start as one of an app: the way back then carries what apps read (REQUEST-11). */
export const appDevice = { deviceOrigin: 'SDK_MOBILE_CHECKOUT' } as const;

const entryPages = new Set<CheckoutView['page']>([
  'CHOOSE_AMOUNT',
  'CHOOSE_BANK',
  'CHOOSE_CARD',
  'REVIEW',
]);

/** Inside an app the page leads nowhere by itself: the app around it closes it (PAGE-12). */
export const embeddedView = (view: CheckoutView, query: PageQuery): CheckoutView => {
  if (!query.embed) return view;
  const showsSteps = query.embed.showsSteps && entryPages.has(view.page);
  const { selectedBankId } = query;
  const preselected: Record<string, string> =
    showsSteps && selectedBankId !== null ? { selectedBank: selectedBankId } : {};
  return {
    ...view,
    returnTo: null,
    carried: { ...preselected, ...view.carried, embed: 'sdk' },
    embed: { showsSteps },
  };
};
