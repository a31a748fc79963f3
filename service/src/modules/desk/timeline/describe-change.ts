export type Actor = 'PAYER' | 'API' | 'PERSON' | 'BANK' | 'TIME' | 'SYSTEM';

type Described = { readonly title: string; readonly by: Actor };

/** A change of state in plain words (DESK-3), by subject and trigger of the lifecycle tables. */
export const describeChange = (subject: string, trigger: string): Described =>
  changes[`${subject} ${trigger}`] ?? { title: trigger, by: 'SYSTEM' };

const change = (title: string, by: Actor): Described => ({ title, by });

const changes: Readonly<Record<string, Described>> = {
  'REQUEST paid': change('Paid in full', 'SYSTEM'),
  'REQUEST expired': change('The request expired', 'TIME'),
  'REQUEST cancelledByMerchant': change('The request was cancelled', 'API'),
  'REQUEST chargeEnded': change('The charge ended without a payment', 'SYSTEM'),
  'REQUEST paymentReversed': change('Open again: the payment was reversed', 'BANK'),
  'ATTEMPT started': change('The payer started to pay', 'PAYER'),
  'ATTEMPT submitted': change('The payer approved it, and it was handed to the bank', 'PAYER'),
  'ATTEMPT declinedByPayer': change('The payer said no at the bank', 'PAYER'),
  'ATTEMPT superseded': change('The payer started again', 'PAYER'),
  'ATTEMPT abandoned': change('Not approved in time', 'TIME'),
  'ATTEMPT requestExpired': change('Ended with the request', 'TIME'),
  'ATTEMPT requestCancelled': change('Ended: the request was cancelled', 'API'),
  'ATTEMPT refusedByBank': change('The bank refused it', 'BANK'),
  'ATTEMPT exchangeLost': change('Interrupted before it was sent', 'SYSTEM'),
  'ATTEMPT accepted': change('The bank accepted the payment', 'BANK'),
  'ATTEMPT rejected': change('The bank rejected the payment', 'BANK'),
  'ATTEMPT reversed': change('The bank reversed the payment', 'BANK'),
  'ATTEMPT paidAtProcessor': change('Paid by card', 'PAYER'),
  'ATTEMPT declinedAtProcessor': change('The card was declined', 'BANK'),
  'ATTEMPT cancelledAtProcessor': change('Ended at the card processor', 'BANK'),
  'ATTEMPT authorised': change('The amount is held on the card', 'BANK'),
  'ATTEMPT captured': change('The held amount was taken', 'API'),
  'ATTEMPT cancelledByMerchant': change('The held amount was released', 'API'),
  'ATTEMPT authorisationExpired': change('The card released the held amount', 'TIME'),
  'REFUND requested': change('Refund requested', 'API'),
  'REFUND prepared': change('Refund is prepared', 'SYSTEM'),
  'REFUND cancelled': change('Refund was cancelled', 'API'),
  'REFUND paymentReversed': change('Refund ended: the payment was reversed', 'BANK'),
  'REFUND settled': change('Refund has left for the payer', 'BANK'),
  'REFUND rejected': change('The bank rejected the refund', 'BANK'),
  'REFUND returned': change('The bank returned the refund', 'BANK'),
};

/** Of a refund that a second person decides about (REFUND-11). */
export const approvals: Readonly<Record<string, string>> = {
  proposed: 'Refund proposed: another person decides',
  approved: 'Refund approved',
  declined: 'Refund declined',
  withdrawn: 'The proposal of a refund was withdrawn',
  refused: 'The refund was approved, and could not be made any more',
};

/** Bookings that change no state. */
export const bookings: Readonly<Record<string, Described>> = {
  PAYMENT_SETTLED: change('The money has arrived', 'BANK'),
  FEE_CHARGED: change('Fee charged', 'SYSTEM'),
  FEE_RETURNED: change('Fee returned', 'SYSTEM'),
  TRANSFER_DIFFERENCE: change('The bank booked another amount than was ordered', 'BANK'),
  PAYMENT_DISPUTED: change('The card holder disputes the payment', 'BANK'),
  DISPUTE_WON: change('The dispute was won', 'BANK'),
  REFUNDED_AT_PROCESSOR: change("Refunded in the card processor's own dashboard", 'SYSTEM'),
  REFUND_AT_PROCESSOR_FAILED: change('The bank returned that refund', 'BANK'),
};
