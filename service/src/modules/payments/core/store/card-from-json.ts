import { pence } from '#kernel/pence.ts';
import type { AttemptCard, CardDispute, CardRefund } from '../attempt-card.ts';

/** The card's columns of an attempt, as `to_jsonb` prints them and `jsonb_to_recordset` reads them. */
type Json = Readonly<Record<string, unknown>>;

const time = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

export const cardFromJson = (row: Json): AttemptCard => ({
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

export const cardToJson = (card: AttemptCard): Json => ({
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
