import { readSearch } from '../../parts/filters/read-search.ts';

export const payoutStatuses = ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED'] as const;

export type PayoutFilters = {
  readonly search?: string | undefined;
  readonly status?: (typeof payoutStatuses)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page?: number | undefined;
};

export const readPayoutFilters = (search: Readonly<Record<string, unknown>>): PayoutFilters => ({
  search: readSearch.text(search, 'search'),
  status: readSearch.choice(search, 'status', payoutStatuses),
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  page: readSearch.page(search),
});
