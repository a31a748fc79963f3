// Emit an event in the statement that changes a state

export {
  claimedAhead,
  type EmitValues,
  type EventDraft,
  emitEventsCtes,
  emittedEndpoints,
  eventsValue,
} from './emit-events-ctes.ts';

// Write its body

export { type ExpiredStatus, expiredStatusBody } from './expired-status-body.ts';
export {
  type PaymentsStatus,
  paymentsStatusBody,
  type StatusDetails,
  type StoreDetails,
} from './payments-status-body.ts';
export {
  type CustomField,
  type PosPaymentStatus,
  posPaymentStatusBody,
  tillFields,
  type VoidedSale,
} from './pos-payment-status-body.ts';
export { type RefundStatus, refundStatusBody } from './refund-status-body.ts';
