import type { CardRecord, Change, Dispute, IntentRecord, SessionRecord } from '../model.ts';
import { closeDispute } from './answer-dispute.ts';
import type { Step } from './authorise.ts';
import { approvedAttempt, cancel } from './finish-payment.ts';

// The moment, on the record's own clock, at which time alone changes it next.
export const dueAt = (record: CardRecord): number | undefined => {
  if (record.kind === 'session') return record.status === 'open' ? record.expiresAt : undefined;
  if (record.kind !== 'intent') return undefined;
  const moments = record.refunds.flatMap(({ becomes }) => (becomes ? [becomes.at] : []));
  const dispute = approvedAttempt(record)?.dispute;
  if (isUndecided(dispute)) moments.push(dispute.endsAt);
  const end = captureEnd(record);
  if (end !== undefined) moments.push(end);
  return moments.length === 0 ? undefined : Math.min(...moments);
};

export const isUndecided = (dispute: Dispute | null | undefined): dispute is Dispute =>
  /needs_response$|under_review$/.test(dispute?.status ?? '');

const captureEnd = (intent: IntentRecord): number | undefined => {
  if (intent.status !== 'requires_capture') return undefined;
  return approvedAttempt(intent)?.captureBefore ?? undefined;
};

// Depends on the record and the time only, so every reader sees the same.
export const intentAt = (intent: IntentRecord, now: number): Step => {
  const end = captureEnd(intent);
  const ended =
    end !== undefined && end <= now ? cancel(intent, 'automatic', end) : unchanged(intent);
  const refunded = finishRefunds(ended.intent, now);
  const decided = decideDispute(refunded.intent, now);
  const eventDrafts = [...ended.eventDrafts, ...refunded.eventDrafts, ...decided.eventDrafts];
  return { intent: decided.intent, eventDrafts };
};

const unchanged = (intent: IntentRecord): Step => ({ intent, eventDrafts: [] });

const finishRefunds = (intent: IntentRecord, now: number): Step => {
  const due = intent.refunds.filter(({ becomes }) => becomes && becomes.at <= now);
  if (due.length === 0) return unchanged(intent);
  const refunds = intent.refunds.map((refund) => {
    if (!refund.becomes || refund.becomes.at > now) return refund;
    const { status } = refund.becomes;
    const failureReason = status === 'failed' ? 'expired_or_canceled_card' : null;
    return { ...refund, status, failureReason, becomes: null };
  });
  const eventDrafts = due.flatMap(({ id, becomes }) => [
    { type: 'refund.updated', id },
    ...(becomes?.status === 'failed' ? [{ type: 'refund.failed', id }] : []),
  ]);
  return { intent: { ...intent, refunds }, eventDrafts };
};

const decideDispute = (intent: IntentRecord, now: number): Step => {
  const dispute = approvedAttempt(intent)?.dispute;
  if (!isUndecided(dispute) || dispute.endsAt > now) return unchanged(intent);
  return closeDispute(intent, dispute, dispute.endsAs);
};

// An intent that its session leaves behind unpaid is cancelled with it.
export const expireSession = (
  session: SessionRecord,
  intent: IntentRecord | undefined,
  now: number,
): Change => {
  const expired: SessionRecord = { ...session, status: 'expired' };
  const left = intent && isUnpaid(intent) ? cancel(intent, 'expired', now) : undefined;
  return {
    saved: left ? [expired, left.intent] : [expired],
    eventDrafts: [
      { type: 'checkout.session.expired', id: session.id },
      ...(left?.eventDrafts ?? []),
    ],
  };
};

const isUnpaid = (intent: IntentRecord): boolean =>
  /^requires_(payment_method|confirmation|action)$/.test(intent.status);
