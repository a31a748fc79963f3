import type { BodyOf, searchTransactions } from '@florin/contract';
import { readSearch } from '../../parts/filters/read-search.ts';

export const paymentStatuses = [
  'COMPLETED',
  'PENDING',
  'AUTHORIZED',
  'AWAITING_AUTHORIZATION',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const;

export const paymentMethods = ['PAY_BY_BANK', 'CARD'] as const;

/** What the address of the list holds. */
export type PaymentFilters = {
  readonly search?: string | undefined;
  readonly status?: readonly (typeof paymentStatuses)[number][] | undefined;
  readonly method?: (typeof paymentMethods)[number] | undefined;
  /** Institution ids. */
  readonly bank?: readonly string[] | undefined;
  /** Pounds. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
};

export const readPaymentFilters = (search: Readonly<Record<string, unknown>>): PaymentFilters => ({
  search: readSearch.text(search, 'search'),
  status: readSearch.choices(search, 'status', paymentStatuses),
  method: readSearch.choice(search, 'method', paymentMethods),
  bank: readSearch.words(search, 'bank'),
  min: readSearch.pounds(search, 'min'),
  max: readSearch.pounds(search, 'max'),
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  page: readSearch.page(search),
});

/** The search that shows them. */
export const paymentSearch = (filters: PaymentFilters): BodyOf<typeof searchTransactions> => {
  const { search, status, method, bank, min, max, from, to } = filters;
  return {
    ...(search && { search }),
    ...(status && { status: [...status] }),
    ...(method && { paymentMethod: [method] }),
    ...(bank && { institutionIds: [...bank] }),
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
    ...(from && { fromDate: from }),
    ...(to && { toDate: to }),
  };
};

export const hasPaymentFilters = ({ page: _, ...filters }: PaymentFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);
