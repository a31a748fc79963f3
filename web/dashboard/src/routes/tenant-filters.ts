import type { BodyOf, searchTransactions } from '@florin/contract';
import { eventTypes, payoutStatuses, refundStatuses } from '@florin/contract';
import { deliveryStates, moneyFigures, requestResults } from '@florin/contract/dashboard/index.ts';
import type { Period } from '../parts/times.ts';
import { readSearch } from './read-search.ts';

type Search = Readonly<Record<string, unknown>>;

export type HomeFilters = { readonly from?: string | undefined; readonly to?: string | undefined };

export const readHomeFilters = (search: Search): HomeFilters => ({
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
});

export type MoneyFigure = (typeof moneyFigures)[number];

export type MoneyRowFilters = HomeFilters & {
  readonly figure?: MoneyFigure | undefined;
  readonly before?: string | undefined;
};

export const readMoneyRowFilters = (search: Search): MoneyRowFilters => ({
  ...readHomeFilters(search),
  figure: readSearch.choice(search, 'figure', moneyFigures),
  before: readSearch.text(search, 'before', 40),
});

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

export const readPaymentFilters = (search: Search): PaymentFilters => ({
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

const tabs = ['timeline', 'json'] as const;

/** Which part of a payment is open; without one the overview. */
export const readPaymentTab = (
  search: Search,
): { readonly tab?: (typeof tabs)[number] | undefined } => ({
  tab: readSearch.choice(search, 'tab', tabs),
});

export type RefundFilters = {
  readonly status?: (typeof refundStatuses)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Where the page goes on. */
  readonly before?: string | undefined;
};

export const readRefundFilters = (search: Search): RefundFilters => ({
  status: readSearch.choice(search, 'status', refundStatuses),
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  before: readSearch.text(search, 'before'),
});

export type PayoutFilters = {
  readonly search?: string | undefined;
  readonly status?: (typeof payoutStatuses)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page?: number | undefined;
};

export const readPayoutFilters = (search: Search): PayoutFilters => ({
  search: readSearch.text(search, 'search'),
  status: readSearch.choice(search, 'status', payoutStatuses),
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
  page: readSearch.page(search),
});

export type CustomerFilters = {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
};

export const readCustomerFilters = (search: Search): CustomerFilters => ({
  search: readSearch.text(search, 'search'),
  page: readSearch.page(search),
});

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

export type DeliveryFilters = {
  readonly state?: (typeof deliveryStates)[number] | undefined;
  readonly eventType?: (typeof eventTypes)[number] | undefined;
  /** Of one payment or refund. */
  readonly of?: string | undefined;
  readonly before?: string | undefined;
};

export const readDeliveryFilters = (search: Search): DeliveryFilters => ({
  state: readSearch.choice(search, 'state', deliveryStates),
  eventType: readSearch.choice(search, 'eventType', eventTypes),
  of: readSearch.text(search, 'of'),
  before: numberText(search.before),
});

/** The address may hold it as a number. */
const numberText = (value: unknown): string | undefined =>
  /^\d{1,18}$/.test(String(value)) ? String(value) : undefined;

export type LogFilters = {
  readonly result?: (typeof requestResults)[number] | undefined;
  readonly requestId?: string | undefined;
  readonly eventType?: (typeof eventTypes)[number] | undefined;
  readonly of?: string | undefined;
  readonly before?: string | undefined;
};

export const readLogFilters = (search: Search): LogFilters => ({
  result: readSearch.choice(search, 'result', requestResults),
  requestId: readSearch.text(search, 'requestId'),
  eventType: readSearch.choice(search, 'eventType', eventTypes),
  of: readSearch.text(search, 'of'),
  before: search.before === undefined ? undefined : String(search.before),
});

export type AuditFilters = {
  readonly who?: string | undefined;
  readonly what?: string | undefined;
  readonly day?: string | undefined;
  readonly before?: string | undefined;
};

export const readAuditFilters = (search: Search): AuditFilters => ({
  who: matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, readSearch.text(search, 'who')),
  what: matching(/^[a-zA-Z]{1,60}$/, readSearch.text(search, 'what')),
  day: readSearch.day(search, 'day'),
  before: matching(/^\d{1,18}$/, search.before === undefined ? undefined : String(search.before)),
});

const matching = (pattern: RegExp, text: string | undefined): string | undefined =>
  text !== undefined && pattern.test(text) ? text : undefined;
