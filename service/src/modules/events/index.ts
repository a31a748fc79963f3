// What the programs mount

export const eventsModule = { name: 'events', migrations: ['0008_events_and_webhooks.sql'] };

// Emit an event in the statement that changes a state

export {
  type EmitValues,
  type EventDraft,
  emitEventsCtes,
  emittedEndpoints,
  eventsValue,
} from './emit-events-ctes.ts';

// Write its body

export {
  type CustomField,
  type ExpiredStatus,
  expiredStatusBody,
  type PaymentsStatus,
  type PosPaymentStatus,
  paymentsStatusBody,
  posPaymentStatusBody,
  type RefundStatus,
  refundStatusBody,
  type StatusDetails,
  type StoreDetails,
  tillFields,
  type VoidedSale,
} from './payment-bodies.ts';
