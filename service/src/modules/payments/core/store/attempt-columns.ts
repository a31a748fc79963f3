import { type Pence, pence } from '#kernel/pence.ts';
import type { Attempt, AttemptCard, CardDispute, CardRefund } from '../payment.ts';
import { type Column, type Members, membersFrom, membersTo, typesOf } from './member-columns.ts';

/** Members that never change after the start of an attempt. */
const fixed = {
  attemptId: ['attempt_id', 'uuid'],
  position: ['position', 'int'],
  paymentIdempotencyId: ['payment_idempotency_id', 'text'],
  method: ['method', 'text'],
  institutionId: ['institution_id', 'text'],
  shareId: ['share_id', 'uuid'],
  creditor: ['creditor', 'jsonb'],
  settlesTo: ['settles_to', 'text'],
  oauthState: ['oauth_state', 'text'],
  applicationUserId: ['application_user_id', 'uuid'],
  paymentDevice: ['payment_device', 'jsonb'],
  createdAt: ['created_at', 'timestamptz'],
} as const satisfies Partial<Record<keyof Attempt, Column>>;

const changing = {
  status: ['status', 'text'],
  step: ['step', 'text'],
  amountPence: ['amount_pence', 'bigint'],
  tipPence: ['tip_pence', 'bigint'],
  railStateEncrypted: ['rail_state_encrypted', 'bytea'],
  railReference: ['rail_reference', 'text'],
  tracingId: ['tracing_id', 'text'],
  bankPaymentReference: ['bank_payment_reference', 'text'],
  isoStatusCode: ['iso_status_code', 'text'],
  isoStatusName: ['iso_status_name', 'text'],
  isoStatusAt: ['iso_status_at', 'timestamptz'],
  isSettled: ['is_settled', 'boolean'],
  errorCode: ['error_code', 'text'],
  errorDescription: ['error_description', 'text'],
  endedReason: ['ended_reason', 'text'],
  payerEncrypted: ['payer_encrypted', 'bytea'],
  consumerName: ['consumer_name', 'text'],
  authoriseByBusiness: ['authorise_by_business', 'timestamptz'],
  leasedUntil: ['leased_until', 'timestamptz'],
  submittedAt: ['submitted_at', 'timestamptz'],
  operatorAlertedAt: ['operator_alerted_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
} as const satisfies Partial<Record<keyof Attempt, Column>>;

/** Of the row of the next poll. */
const polled = {
  pollBusinessAt: ['poll_business_at', 'timestamptz'],
  pollCount: ['poll_count', 'int'],
} as const satisfies Partial<Record<keyof Attempt, Column>>;

const fixedOfCard = {
  accountKey: ['account_key', 'text'],
  captureType: ['capture_type', 'text'],
  initiator: ['initiator', 'text'],
} as const satisfies Partial<Record<keyof AttemptCard, Column>>;

const changingOfCard = {
  cardId: ['card_id', 'uuid'],
  facts: ['card_facts', 'jsonb'],
  authentication: ['authentication', 'jsonb'],
  lastDecline: ['last_decline', 'jsonb'],
  authorisationExpiresBusinessAt: ['authorisation_expires_business_at', 'timestamptz'],
  expirySource: ['authorisation_expiry_source', 'text'],
  captureBusinessAt: ['capture_business_at', 'timestamptz'],
  cancelledReasonCode: ['cancelled_reason_code', 'text'],
  cancelledReasonDescription: ['cancelled_reason_description', 'text'],
  intentKey: ['intent_key', 'text'],
  disputes: ['disputes', 'jsonb'],
  refunds: ['refunds', 'jsonb'],
} as const satisfies Partial<Record<keyof AttemptCard, Column>>;

/** Changed by refunds only. */
const refundedOfCard = {
  refundedPence: ['refunded_pence', 'bigint'],
  refundReservedPence: ['refund_reserved_pence', 'bigint'],
} as const satisfies Partial<Record<keyof AttemptCard, Column>>;

const parts = {
  taxPence: ['tax_pence', 'bigint'],
  servicePence: ['service_pence', 'bigint'],
} as const;

const { attempt_id: _key, ...fixedWithoutKey } = typesOf(fixed, fixedOfCard);
export const fixedColumns = fixedWithoutKey;
export const changingColumns = typesOf(changing, parts, changingOfCard);

/** What is read of the row of an attempt; its lease and polls are read with that of the next poll. */
export const readColumns = Object.keys(
  typesOf(fixed, fixedOfCard, changing, parts, changingOfCard, refundedOfCard),
).filter((column) => column !== 'leased_until');

type Json = Readonly<Record<string, unknown>>;

const ofAttempt: Members = { ...fixed, ...changing, ...polled };
const ofCard: Members = { ...fixedOfCard, ...changingOfCard };
const ofCardRead: Members = { ...ofCard, ...refundedOfCard };

/** An attempt as `row_to_json` prints it. */
export const attemptFromJson = (row: Json): Attempt =>
  ({
    ...membersFrom(ofAttempt, row),
    parts: row.tax_pence === null ? null : membersFrom(parts, row),
    card: row.method === 'CARD' ? cardFromJson(row) : null,
  }) as Attempt;

const cardFromJson = (row: Json): AttemptCard => {
  const card = membersFrom(ofCardRead, row) as AttemptCard;
  const { authentication } = card;
  return {
    ...card,
    authentication: authentication && { ...authentication, at: time(authentication.at) },
    disputes: ((row.disputes ?? []) as readonly Stored<CardDispute>[]).map((stored) => ({
      ...withPence(stored),
      respondBy: time(stored.respondBy),
      submissions: stored.submissions ?? 0,
    })),
    refunds: ((row.refunds ?? []) as readonly Stored<CardRefund>[]).map((stored) => ({
      ...withPence(stored),
      reference: stored.reference ?? null,
      refundedAt: new Date(stored.refundedAt),
      failedAt: time(stored.failedAt),
      errorDescription: stored.errorDescription ?? null,
    })),
  };
};

type Stored<Item> = {
  readonly [Member in keyof Item]: Item[Member] extends Pence ? string : Item[Member];
};

const time = (value: unknown): Date | null => (value ? new Date(String(value)) : null);

const withPence = <Item extends { readonly amountPence: string }>(stored: Item) => ({
  ...stored,
  amountPence: pence(BigInt(stored.amountPence)),
});

// V8 serialises what a spread has made in four times the time.
/** As `jsonb_to_recordset` reads it. */
export const attemptToJson = (attempt: Attempt): Record<string, unknown> =>
  Object.assign(
    membersTo(ofAttempt, attempt),
    attempt.parts && membersTo(parts, attempt.parts),
    attempt.card && cardToJson(attempt.card),
  );

const cardToJson = (card: AttemptCard): Json =>
  Object.assign(membersTo(ofCard, card), {
    disputes: listToJson(card.disputes),
    refunds: listToJson(card.refunds),
  });

const listToJson = (list: readonly { readonly amountPence: Pence }[]): unknown =>
  list.length === 0
    ? null
    : list.map((item) => ({ ...item, amountPence: item.amountPence.toString() }));
