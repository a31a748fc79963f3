import { readSearch } from '../../parts/filters/read-search.ts';

export const refundStatuses = ['INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

export type RefundFilters = {
  readonly status?: (typeof refundStatuses)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Where the page goes on. */
  readonly before?: string | undefined;
};

export const readRefundFilters = (search: Readonly<Record<string, unknown>>): RefundFilters => ({
  status: readSearch.choice(search, 'status', refundStatuses),
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  before: readSearch.text(search, 'before'),
});
