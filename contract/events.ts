/** Event types a merchant can subscribe to (EVENT-1). */
export const eventTypes = [
  'PAYMENTS_STATUS',
  'EXPIRED_STATUS',
  'REFUND_STATUS',
  'POS_PAYMENT_STATUS',
] as const;

export type EventType = (typeof eventTypes)[number];

/** How an event type is named to people. */
export const eventLabels = {
  PAYMENTS_STATUS: 'Payment Status',
  EXPIRED_STATUS: 'Expired Status',
  REFUND_STATUS: 'Refund Status',
  POS_PAYMENT_STATUS: 'POS Payment Status',
} as const satisfies Record<EventType, string>;
