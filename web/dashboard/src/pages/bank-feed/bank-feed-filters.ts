import type { Period } from '../../parts/filters/period.ts';
import { readSearch } from '../../parts/filters/read-search.ts';

type Search = Readonly<Record<string, unknown>>;

const outcomes = ['SUCCESS', 'FAILED', 'CANCELLED', 'EXPIRED'] as const;

/** What the hosted page says of the link when it leads back here. */
export type BankFeedFilters = { readonly status?: (typeof outcomes)[number] | undefined };

export const readBankFeedFilters = (search: Search): BankFeedFilters => ({
  status: readSearch.choice(search, 'status', outcomes),
});

export type TransactionFilters = Partial<{
  readonly [Name in keyof Period]: string | undefined;
}> & {
  readonly page?: number | undefined;
};

export const readTransactionFilters = (search: Search): TransactionFilters => ({
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  page: readSearch.page(search),
});
