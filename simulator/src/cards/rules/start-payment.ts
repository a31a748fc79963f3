import type { Authentication, Card, EventDraft, IntentRecord, MethodRecord } from '../model.ts';
import { authenticate, type ChallengeDecision, concludeChallenge } from './authenticate.ts';
import { authorise, type Circumstances, type Step } from './authorise.ts';
import { authenticationFailure } from './decline-of.ts';

export type Paid = {
  readonly intent: IntentRecord;
  // Set only when the payment changed it.
  readonly method: MethodRecord | undefined;
  readonly eventDrafts: readonly EventDraft[];
};

export type Start = Circumstances & {
  readonly returnUrl: string | null;
};

export const startPayment = (intent: IntentRecord, card: Card, start: Start): Paid => {
  const chosen: IntentRecord = { ...intent, methodId: card.method.id, challenge: null };
  if (start.isMerchantInitiated) return finish(authorise(chosen, card, null, start), card);
  const facts = factsOf(card, start);
  const step = authenticate(card.row, intent.requestThreeDs, facts);
  if (step.next === 'challenge') return finish(challenge(chosen, card, start), card);
  if (step.next === 'fail') return finish(refuse(chosen, step.authentication), card);
  return finish(authorise(chosen, card, step.authentication, start), card);
};

export const endChallenge = (
  intent: IntentRecord,
  card: Card,
  decision: ChallengeDecision,
  around: Circumstances,
): Paid => {
  const step = concludeChallenge(card.row, decision, factsOf(card, around));
  if (step.next === 'fail') return finish(refuse(intent, step.authentication), card);
  const authentication = step.next === 'authorise' ? step.authentication : null;
  return finish(authorise(intent, card, authentication, around), card);
};

export const factsOf = ({ row }: Card, { now, random }: Circumstances) => ({
  brand: row.brand,
  at: now,
  transactionId: uuidFrom(random),
});

const uuidFrom = (random: Circumstances['random']): string => {
  const digits = random.digits(32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const challenge = (intent: IntentRecord, card: Card, start: Start): Step => {
  const { random, returnUrl, now } = start;
  const id = `tdsrc_${random.text(32)}`;
  return {
    intent: {
      ...intent,
      status: 'requires_action',
      lastError: null,
      challenge: { id, methodId: card.method.id, startedAt: now },
      returnUrl,
    },
    eventDrafts: [{ type: 'payment_intent.requires_action', id: intent.id }],
  };
};

const refuse = (intent: IntentRecord, authentication: Authentication): Step => ({
  intent: {
    ...intent,
    status: 'requires_payment_method',
    challenge: null,
    lastAuthentication: authentication,
    lastError: { ...authenticationFailure, declineCode: null, attemptId: null },
  },
  eventDrafts: [{ type: 'payment_intent.payment_failed', id: intent.id }],
});

// A card is saved for its customer once a payment with setup_future_usage has succeeded.
const finish = (step: Step, { method }: Card): Paid => {
  const { intent } = step;
  const isApproved = intent.status === 'succeeded' || intent.status === 'requires_capture';
  if (!isApproved || intent.setupFutureUsage === null) return { ...step, method: undefined };
  const isProven = intent.lastAuthentication?.result === 'authenticated';
  const isNewlyAttached = method.customerId === null && intent.customerId !== null;
  const saved: MethodRecord = {
    ...method,
    customerId: method.customerId ?? intent.customerId,
    allowRedisplay: method.allowRedisplay === 'unspecified' ? 'limited' : method.allowRedisplay,
    isSetUpOffSession:
      method.isSetUpOffSession || (isProven && intent.setupFutureUsage === 'off_session'),
  };
  const attached = { type: 'payment_method.attached', id: method.id };
  return {
    intent,
    method: saved,
    eventDrafts: isNewlyAttached ? [...step.eventDrafts, attached] : step.eventDrafts,
  };
};
