import { readSearch } from '../../../parts/filters/read-search.ts';

export const deliveryStates = [
  'FAILING',
  'PENDING',
  'DELIVERED',
  'EXHAUSTED',
  'CANCELLED',
] as const;

export const eventTypes = [
  'PAYMENTS_STATUS',
  'EXPIRED_STATUS',
  'REFUND_STATUS',
  'POS_PAYMENT_STATUS',
] as const;

export type DeliveryFilters = {
  readonly state?: (typeof deliveryStates)[number] | undefined;
  readonly eventType?: (typeof eventTypes)[number] | undefined;
  /** Of one payment or refund. */
  readonly of?: string | undefined;
  readonly before?: string | undefined;
};

export const readDeliveryFilters = (
  search: Readonly<Record<string, unknown>>,
): DeliveryFilters => ({
  state: readSearch.choice(search, 'state', deliveryStates),
  eventType: readSearch.choice(search, 'eventType', eventTypes),
  of: readSearch.text(search, 'of'),
  before: numberText(search.before),
});

/** The address may hold it as a number. */
const numberText = (value: unknown): string | undefined =>
  /^\d{1,18}$/.test(String(value)) ? String(value) : undefined;
