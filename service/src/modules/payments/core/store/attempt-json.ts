import { pence } from '#kernel/pence.ts';
import { bytesToHex } from '#platform/database/statement.ts';
import type { Attempt, AttemptCard, CardDispute, CardRefund } from '../payment.ts';

/** The card's columns of an attempt, as `to_jsonb` prints them and `jsonb_to_recordset` reads them. */
type Json = Record<string, unknown>;

const time = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

const cardFromJson = (row: Json): AttemptCard => ({
  accountKey: String(row.account_key),
  cardId: row.card_id as AttemptCard['cardId'],
  captureType: row.capture_type as AttemptCard['captureType'],
  initiator: row.initiator as AttemptCard['initiator'],
  facts: row.card_facts as AttemptCard['facts'],
  authentication: authenticationFromJson(row.authentication),
  authorisationExpiresBusinessAt: time(row.authorisation_expires_business_at),
  expirySource: row.authorisation_expiry_source as AttemptCard['expirySource'],
  captureBusinessAt: time(row.capture_business_at),
  cancelledReasonCode: row.cancelled_reason_code as AttemptCard['cancelledReasonCode'],
  cancelledReasonDescription:
    row.cancelled_reason_description as AttemptCard['cancelledReasonDescription'],
  intentKey: row.intent_key as AttemptCard['intentKey'],
  disputes: disputesFromJson(row.disputes),
  refunds: refundsFromJson(row.refunds),
  refundedPence: pence(BigInt(String(row.refunded_pence ?? 0))),
  refundReservedPence: pence(BigInt(String(row.refund_reserved_pence ?? 0))),
});

const disputesFromJson = (value: unknown): readonly CardDispute[] =>
  ((value ?? []) as (Omit<CardDispute, 'amountPence'> & { amountPence: string })[]).map(
    ({ amountPence, ...saved }) => ({ ...saved, amountPence: pence(BigInt(amountPence)) }),
  );

const refundsFromJson = (value: unknown): readonly CardRefund[] =>
  (
    (value ?? []) as {
      refundId: string;
      reference?: string | null;
      amountPence: string;
      refundedAt: string;
      failedAt?: string | null;
      errorDescription?: string | null;
    }[]
  ).map(({ refundId, reference, amountPence, refundedAt, failedAt, errorDescription }) => ({
    refundId,
    reference: reference ?? null,
    amountPence: pence(BigInt(amountPence)),
    refundedAt: new Date(refundedAt),
    failedAt: failedAt ? new Date(failedAt) : null,
    errorDescription: errorDescription ?? null,
  }));

const authenticationFromJson = (value: unknown): AttemptCard['authentication'] => {
  if (value === null) return null;
  const saved = value as NonNullable<AttemptCard['authentication']>;
  return { ...saved, at: time(saved.at) };
};

const cardToJson = (card: AttemptCard): Json => ({
  account_key: card.accountKey,
  card_id: card.cardId,
  capture_type: card.captureType,
  initiator: card.initiator,
  card_facts: card.facts,
  authentication: card.authentication,
  authorisation_expires_business_at: card.authorisationExpiresBusinessAt,
  authorisation_expiry_source: card.expirySource,
  capture_business_at: card.captureBusinessAt,
  cancelled_reason_code: card.cancelledReasonCode,
  cancelled_reason_description: card.cancelledReasonDescription,
  intent_key: card.intentKey,
  disputes:
    card.disputes.length === 0
      ? null
      : card.disputes.map(({ amountPence, ...saved }) => ({
          ...saved,
          amountPence: amountPence.toString(),
        })),
  refunds:
    card.refunds.length === 0
      ? null
      : card.refunds.map(({ amountPence, ...stored }) => ({
          ...stored,
          amountPence: amountPence.toString(),
        })),
});

/** An attempt as `to_jsonb` prints its row, and as `jsonb_to_recordset` reads it. */

const bytes = (value: unknown): Buffer | null =>
  typeof value === 'string' ? Buffer.from(value.slice(2), 'hex') : null;
const requiredTime = (value: unknown): Date => new Date(String(value));
const hex = (value: Buffer | null): string | null => value && bytesToHex(value);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const partsFrom = ({ tax_pence: tax, service_pence: service }: Json): Attempt['parts'] =>
  typeof tax === 'number' && typeof service === 'number'
    ? { taxPence: pence(tax), servicePence: pence(service) }
    : null;

export const attemptFromJson = (row: Json): Attempt => ({
  attemptId: String(row.attempt_id),
  position: Number(row.position),
  paymentIdempotencyId: String(row.payment_idempotency_id),
  method: row.method as Attempt['method'],
  status: row.status as Attempt['status'],
  step: row.step as Attempt['step'],
  institutionId: String(row.institution_id),
  shareId: String(row.share_id),
  amountPence: pence(row.amount_pence as number),
  tipPence: pence(row.tip_pence as number),
  parts: partsFrom(row),
  creditor: row.creditor as Attempt['creditor'],
  settlesTo: row.settles_to as Attempt['settlesTo'],
  railStateEncrypted: bytes(row.rail_state_encrypted),
  railReference: text(row.rail_reference),
  tracingId: text(row.tracing_id),
  bankPaymentReference: text(row.bank_payment_reference),
  oauthState: text(row.oauth_state),
  isoStatusCode: text(row.iso_status_code),
  isoStatusName: text(row.iso_status_name),
  isoStatusAt: time(row.iso_status_at),
  isSettled: row.is_settled === true,
  errorCode: text(row.error_code),
  errorDescription: text(row.error_description),
  endedReason: text(row.ended_reason),
  payerEncrypted: bytes(row.payer_encrypted),
  consumerName: text(row.consumer_name),
  applicationUserId: text(row.application_user_id),
  paymentDevice: (row.payment_device as object | null) ?? null,
  authoriseByBusiness: requiredTime(row.authorise_by_business),
  pollBusinessAt: time(row.poll_business_at),
  leasedUntil: time(row.leased_until),
  pollCount: Number(row.poll_count),
  submittedAt: time(row.submitted_at),
  operatorAlertedAt: time(row.operator_alerted_at),
  card: row.method === 'CARD' ? cardFromJson(row) : null,
  createdAt: requiredTime(row.created_at),
  updatedAt: requiredTime(row.updated_at),
});

export const attemptToJson = (attempt: Attempt): Json => ({
  attempt_id: attempt.attemptId,
  position: attempt.position,
  payment_idempotency_id: attempt.paymentIdempotencyId,
  method: attempt.method,
  status: attempt.status,
  step: attempt.step,
  institution_id: attempt.institutionId,
  share_id: attempt.shareId,
  amount_pence: attempt.amountPence.toString(),
  tip_pence: attempt.tipPence.toString(),
  tax_pence: attempt.parts?.taxPence.toString() ?? null,
  service_pence: attempt.parts?.servicePence.toString() ?? null,
  creditor: attempt.creditor,
  settles_to: attempt.settlesTo,
  rail_state_encrypted: hex(attempt.railStateEncrypted),
  rail_reference: attempt.railReference,
  tracing_id: attempt.tracingId,
  bank_payment_reference: attempt.bankPaymentReference,
  oauth_state: attempt.oauthState,
  iso_status_code: attempt.isoStatusCode,
  iso_status_name: attempt.isoStatusName,
  iso_status_at: attempt.isoStatusAt,
  is_settled: attempt.isSettled,
  error_code: attempt.errorCode,
  error_description: attempt.errorDescription,
  ended_reason: attempt.endedReason,
  payer_encrypted: hex(attempt.payerEncrypted),
  consumer_name: attempt.consumerName,
  application_user_id: attempt.applicationUserId,
  payment_device: attempt.paymentDevice,
  authorise_by_business: attempt.authoriseByBusiness,
  poll_business_at: attempt.pollBusinessAt,
  leased_until: attempt.leasedUntil,
  poll_count: attempt.pollCount,
  submitted_at: attempt.submittedAt,
  operator_alerted_at: attempt.operatorAlertedAt,
  ...(attempt.card ? cardToJson(attempt.card) : {}),
  created_at: attempt.createdAt,
  updated_at: attempt.updatedAt,
});
