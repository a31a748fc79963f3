import { readSearch } from '../../../parts/filters/read-search.ts';

const tabs = ['timeline', 'json'] as const;

/** Which part of a payment is open; without one the overview. */
export const readPaymentTab = (
  search: Readonly<Record<string, unknown>>,
): { readonly tab?: (typeof tabs)[number] | undefined } => ({
  tab: readSearch.choice(search, 'tab', tabs),
});
