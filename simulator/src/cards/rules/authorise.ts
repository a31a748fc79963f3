import { type Brand, type CardRow, walksAway } from '../card-row.ts';
import type { Attempt, Authentication, Card, Dispute, EventDraft, IntentRecord } from '../model.ts';
import { declineOf } from './decline-of.ts';
import { attemptId } from './ids.ts';

export type Circumstances = {
  // On the intent's own clock.
  readonly now: number;
  readonly isMerchantInitiated: boolean;
  readonly random: { text(length: number): string; digits(length: number): string };
};

export type Step = {
  readonly intent: IntentRecord;
  readonly eventDrafts: readonly EventDraft[];
};

// The authorisation at the card network: approved, declined, or the customer has walked away.
export const authorise = (
  intent: IntentRecord,
  card: Card,
  authentication: Authentication | null,
  around: Circumstances,
): Step => {
  const declineCode = declineCodeOf(card, around.isMerchantInitiated);
  if (declineCode === walksAway) return walkAway(intent, card, around.now);
  const attempt = attemptOf(intent, card, authentication, { ...around, declineCode });
  const tried: IntentRecord = {
    ...intent,
    methodId: card.method.id,
    attempts: [...intent.attempts, attempt],
    challenge: null,
    lastAuthentication: authentication,
  };
  return declineCode === null ? approved(tried, attempt) : declined(tried, attempt, declineCode);
};

const declineCodeOf = ({ row, method }: Card, isMerchantInitiated: boolean): string | null => {
  if (!isMerchantInitiated) return row.onSession;
  const isExcused = row.offSessionOnceSetUp === null && method.isSetUpOffSession;
  return isExcused ? null : row.offSession;
};

const attemptOf = (
  intent: IntentRecord,
  { row, method }: Card,
  authentication: Authentication | null,
  around: Circumstances & { readonly declineCode: string | null },
): Attempt => {
  const { now, random, isMerchantInitiated, declineCode } = around;
  const isApproved = declineCode === null;
  const isManual = intent.captureMethod === 'manual';
  const isCaptured = isApproved && !isManual;
  const id = attemptId(intent, intent.attempts.length);
  const window = captureWindowMs(row.brand, isMerchantInitiated);
  return {
    id,
    at: now,
    amount: intent.amount,
    methodId: method.id,
    card: row.key,
    fingerprint: method.fingerprint,
    expiryMonth: method.expiryMonth,
    expiryYear: method.expiryYear,
    holderName: method.holderName,
    isMerchantInitiated,
    declineCode,
    authentication,
    networkTransactionId: networkTransactionId(row, random),
    authorizationCode: isApproved ? random.digits(6) : null,
    captureBefore: isApproved && isManual ? now + window : null,
    amountCaptured: isCaptured ? intent.amount : 0,
    isCaptured,
    dispute: isCaptured ? disputeOf(row, id, now) : null,
  };
};

const networkTransactionId = (row: CardRow, random: Circumstances['random']): string =>
  row.brand === 'mastercard' ? `MCC${random.text(6).toUpperCase()}` : random.digits(15);

const approved = (intent: IntentRecord, attempt: Attempt): Step => {
  const isManual = intent.captureMethod === 'manual';
  const { id } = intent;
  return {
    intent: { ...intent, status: isManual ? 'requires_capture' : 'succeeded', lastError: null },
    eventDrafts: [
      { type: 'charge.succeeded', id: attempt.id },
      isManual
        ? { type: 'payment_intent.amount_capturable_updated', id }
        : { type: 'payment_intent.succeeded', id },
      ...(attempt.dispute ? [{ type: 'charge.dispute.created', id: attempt.dispute.id }] : []),
    ],
  };
};

const declined = (intent: IntentRecord, attempt: Attempt, declineCode: string): Step => {
  const { code, message } = declineOf(declineCode);
  return {
    intent: {
      ...intent,
      status: 'requires_payment_method',
      lastError: { code, declineCode, message, attemptId: attempt.id },
    },
    eventDrafts: [
      { type: 'charge.failed', id: attempt.id },
      { type: 'payment_intent.payment_failed', id: intent.id },
    ],
  };
};

const walkAway = (intent: IntentRecord, card: Card, now: number): Step => ({
  intent: {
    ...intent,
    methodId: card.method.id,
    challenge: null,
    status: 'canceled',
    canceledAt: now,
    cancellationReason: 'requested_by_customer',
  },
  eventDrafts: [{ type: 'payment_intent.canceled', id: intent.id }],
});

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

// How long an authorisation can be captured, by scheme and by who initiated it.
const captureWindowMs = (brand: Brand, isMerchantInitiated: boolean): number =>
  brand === 'visa' && isMerchantInitiated ? 4 * dayMs + 18 * hourMs : 7 * dayMs;

const decidedAfterMs = 60 * 60 * 1000;

export const disputeOf = (row: CardRow, attemptId: string, now: number): Dispute | null => {
  if (!row.dispute) return null;
  return {
    id: attemptId.replace(/^ch_/, 'dp_'),
    at: now,
    status: row.dispute === 'warning_closed' ? 'warning_needs_response' : 'needs_response',
    endsAs: row.dispute,
    endsAt: now + decidedAfterMs,
    evidence: {},
    submissions: 0,
    metadata: {},
  };
};
