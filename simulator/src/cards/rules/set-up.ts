import { walksAway } from '../card-row.ts';
import type { Card, EventDraft, MethodRecord, PaymentError, SetupRecord } from '../model.ts';
import { authenticate, type ChallengeDecision, concludeChallenge } from './authenticate.ts';
import type { Circumstances } from './authorise.ts';
import { authenticationFailure, declineOf } from './decline-of.ts';
import { factsOf } from './start-payment.ts';

export type SetUp = {
  readonly setup: SetupRecord;
  // Set only when it is kept for its customer.
  readonly method: MethodRecord | undefined;
  readonly eventDrafts: readonly EventDraft[];
};

type Around = Pick<Circumstances, 'now' | 'random'>;

export const startSetup = (
  setup: SetupRecord,
  card: Card,
  around: Around & { readonly returnUrl: string | null },
): SetUp => {
  const chosen: SetupRecord = { ...setup, methodId: card.method.id, lastError: null };
  const facts = factsOf(card, { ...around, isMerchantInitiated: false });
  const step = authenticate(card.row, setup.requestThreeDs, facts);
  if (step.next === 'fail') return refused(chosen, notAuthenticated);
  if (step.next === 'authorise')
    return checked(chosen, card, step.authentication?.result === 'authenticated');
  const { random, now, returnUrl } = around;
  const challenge = {
    id: `tdsrc_${random.text(32)}`,
    methodId: card.method.id,
    startedAt: now,
  };
  const waiting: SetupRecord = { ...chosen, status: 'requires_action', challenge, returnUrl };
  return stepTo(waiting, 'setup_intent.requires_action');
};

export const endSetupChallenge = (
  setup: SetupRecord,
  card: Card,
  decision: ChallengeDecision,
  around: Around,
): SetUp => {
  const facts = factsOf(card, { ...around, isMerchantInitiated: false });
  const isPassed = concludeChallenge(card.row, decision, facts).next === 'authorise';
  return isPassed ? checked(setup, card, true) : refused(setup, notAuthenticated);
};

export const cancelSetup = (setup: SetupRecord, reason: string | null): SetUp =>
  stepTo(
    { ...setup, status: 'canceled', challenge: null, cancellationReason: reason },
    'setup_intent.canceled',
  );

// The issuer checks the card without an amount, and declines what it would decline to a payer.
const checked = (setup: SetupRecord, { row, method }: Card, isProven: boolean): SetUp => {
  if (row.onSession === walksAway) return cancelSetup(setup, 'abandoned');
  if (row.onSession !== null) {
    const { code, message } = declineOf(row.onSession);
    return refused(setup, { code, message, declineCode: row.onSession, attemptId: null });
  }
  const done: SetupRecord = { ...setup, status: 'succeeded', challenge: null };
  const succeeded = stepTo(done, 'setup_intent.succeeded');
  if (setup.customerId === null) return succeeded;
  const kept: MethodRecord = {
    ...method,
    customerId: setup.customerId,
    allowRedisplay: method.allowRedisplay === 'unspecified' ? 'limited' : method.allowRedisplay,
    isSetUpOffSession: method.isSetUpOffSession || (isProven && setup.usage === 'off_session'),
  };
  const attached = { type: 'payment_method.attached', id: method.id };
  const { eventDrafts } = succeeded;
  return {
    setup: done,
    method: kept,
    eventDrafts: method.customerId === null ? [...eventDrafts, attached] : eventDrafts,
  };
};

const refused = (setup: SetupRecord, lastError: PaymentError): SetUp =>
  stepTo(
    { ...setup, status: 'requires_payment_method', challenge: null, lastError },
    'setup_intent.setup_failed',
  );

const notAuthenticated: PaymentError = {
  ...authenticationFailure,
  code: 'setup_intent_authentication_failure',
  declineCode: null,
  attemptId: null,
};

const stepTo = (setup: SetupRecord, type: string): SetUp => ({
  setup,
  method: undefined,
  eventDrafts: [{ type, id: setup.id }],
});
