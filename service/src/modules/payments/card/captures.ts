import {
  type BodyOf,
  type cancelCardPayment as describedCancelCardPayment,
  type captureCardPayment as describedCaptureCardPayment,
  failures,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { type CardRails, type FindAccount, missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import { changePayment, noteAttempt, noteHistory } from '../core/change-payment.ts';
import { decryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  type AttemptCard,
  findAttempt,
  latestAttempt,
  type Payment,
} from '../core/payment.ts';
import { findOwnPayment, loadPayment } from '../core/store/load-payment.ts';
import { type RecordTools, recordCardOutcome } from './outcomes.ts';

type CardIntent = {
  readonly step: 'CAPTURING' | 'CANCELLING';
  /** The requester, for the history. */
  readonly wantedBy: string;
  readonly key: string | null;
  readonly reason?: Pick<AttemptCard, 'cancelledReasonCode' | 'cancelledReasonDescription'>;
  /** Only while this is still the state. */
  readonly onlyIf?: (attempt: Attempt, now: Date) => boolean;
};

type ClaimedIntent =
  | { readonly kind: 'CLAIMED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'NOT_CLAIMED'; readonly payment: Payment; readonly attempt?: Attempt };

/** After this the lease is over: the call was answered, or it never will be. */
const answerWithinMs = 45_000;

/**
 * Recorded before the processor is called, so that of concurrent captures and cancellations only
 * one calls it, and its outcome is found even if that one dies. The merchant still reads
 * AUTHORIZED.
 */
export const claimCardIntent = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  intent: CardIntent,
): Promise<ClaimedIntent> => {
  let isClaimed = false;
  const payment = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = latestAttempt(current);
    const card = attempt?.card;
    isClaimed =
      attempt?.status === 'AUTHORIZED' &&
      attempt.step === 'AUTHORISED' &&
      (intent.onlyIf?.(attempt, current.now) ?? true);
    if (!isClaimed || !attempt || !card) return false;
    noteHistory(
      change,
      attempt,
      intent.step === 'CAPTURING' ? 'captureStarted' : 'cancelStarted',
      intent.wantedBy,
    );
    noteAttempt(change, attempt.attemptId, {
      step: intent.step,
      pollBusinessAt: new Date(current.now.getTime() + answerWithinMs),
      card: { ...card, ...intent.reason, intentKey: intent.key },
    });
    return true;
  });
  const attempt = latestAttempt(payment);
  if (isClaimed && attempt) return { kind: 'CLAIMED', payment, attempt };
  return { kind: 'NOT_CLAIMED', payment, ...(attempt && { attempt }) };
};

type ChangeTools = RecordTools & { readonly cardRails: CardRails };

type AuthorisedChange = Pick<CardIntent, 'step' | 'reason'> & {
  readonly operation: 'capture' | 'cancel';
  readonly reaches: 'COMPLETED' | 'CANCELLED';
  /** The name of the other outcome in a failure. */
  readonly poll: (rail: CardRail, state: string) => Promise<CardOutcome | Refusal>;
  readonly resolve: (rail: CardRail, state: string) => Promise<CardOutcome | Refusal>;
};

/**
 * Captures or releases an authorisation for the merchant: the intent is committed, the processor is
 * called, its answer is committed. The same Idempotency-Key later answers the outcome of that
 * intent.
 */
const changeAuthorised = async (
  tools: ChangeTools,
  { tenant }: Caller,
  paymentRequestId: string,
  key: IdempotencyKey | null,
  wanted: AuthorisedChange,
): Promise<void> => {
  const found = await findOwnPayment(tools, tenant, paymentRequestId);
  const rail = await railOf(tools, found);
  const intentKey = key && `${wanted.operation} ${key.bodySha256.toString('hex')} ${key.key}`;
  const claim = await claimCardIntent(tools, tenant, paymentRequestId, {
    ...wanted,
    wantedBy: 'the merchant asked for it',
    key: intentKey,
  });
  const { payment, attempt } = claim;
  const isOwn = intentKey !== null && attempt?.card?.intentKey === intentKey;
  if (claim.kind === 'NOT_CLAIMED' && !isOwn) throw wrongState(payment, attempt, wanted);
  const isOpen = attempt?.step === wanted.step;
  const state = attempt && isOpen && decryptRailState(tools.secrets, attempt);
  if (!attempt || !state) return answer(payment, wanted);
  const poll = claim.kind === 'CLAIMED' ? wanted.poll : wanted.resolve;
  const outcome = await poll(rail, state);
  const after = await recordCardOutcome(tools, payment, attempt.attemptId, outcome);
  if (outcome.kind === 'REFUSED') throw refused(outcome);
  return answer(after, wanted);
};

/** Of a payment that is no charge: it is refused later. */
const railOf = ({ cardRails }: ChangeTools, payment: Payment): Promise<CardRail> => {
  const card = latestAttempt(payment)?.card;
  const { tenant } = payment;
  return card ? cardRails.needAccount(tenant, card.accountKey) : cardRails.need(tenant);
};

const answer = (payment: Payment, wanted: AuthorisedChange): void => {
  const attempt = latestAttempt(payment);
  if (attempt?.status === wanted.reaches) return;
  if (attempt?.step === wanted.step)
    throw new Failure(failures.unavailable, {
      message: `The card processor did not answer; the ${wanted.operation} continues. ${unheard}`,
      retryAfterSeconds: 5,
    });
  throw wrongState(payment, attempt, wanted);
};

const unheard = 'Retry with the same Idempotency-Key, or read the payment status.';

const refused = ({ description }: Refusal): Failure =>
  new Failure(failures.invalidState, { message: description });

const wrongState = (
  { kind }: Payment,
  attempt: Attempt | undefined,
  { operation }: AuthorisedChange,
): Failure => {
  const message =
    kind === 'CARD_CHARGE' && attempt
      ? sentenceOf(attempt)
      : `This is not the charge of a saved card, so there is nothing to ${operation}.`;
  return new Failure(failures.invalidState, { message, isUntried: true });
};

const sentenceOf = ({ status, step, card }: Attempt): string => {
  if (step === 'CAPTURING') return 'This payment is being captured at this moment.';
  if (step === 'CANCELLING') return 'This payment is being cancelled at this moment.';
  if (card?.captureType === 'AUTO_CAPTURE')
    return 'This payment is captured by itself (AUTO_CAPTURE): it can be neither captured nor cancelled.';
  return sentences[status] ?? 'This payment is not authorised.';
};

const sentences: Readonly<Partial<Record<Attempt['status'], string>>> = {
  PENDING: 'This payment is not authorised yet. Wait for its status AUTHORIZED.',
  AUTHORIZED: 'The card processor still holds this payment: it is only authorised.',
  COMPLETED: 'This payment has been captured already.',
  FAILED: 'This payment failed: nothing was authorised.',
  CANCELLED: 'The authorisation of this payment has been released already.',
};

export const cancelCardPayment = async (
  tools: ChangeTools,
  caller: Caller,
  paymentRequestId: string,
  body: BodyOf<typeof describedCancelCardPayment> | undefined | null,
  key: IdempotencyKey | null,
): Promise<ReplyOf<typeof describedCancelCardPayment>> => {
  const description = body?.cancelledReasonDescription?.trim() || null;
  if (body?.cancelledReasonCode === 'Other' && !description) throw needsDescription();
  const code = body?.cancelledReasonCode ?? 'Other';
  await changeAuthorised(tools, caller, paymentRequestId, key, {
    operation: 'cancel',
    step: 'CANCELLING',
    reaches: 'CANCELLED',
    reason: { cancelledReasonCode: code, cancelledReasonDescription: description },
    poll: (rail, state) => rail.cancel(state, code),
    resolve: (rail, state) => rail.resolveCancel(state, code),
  });
  return { success: true, message: 'Payment cancelled successfully' };
};

const needsDescription = (): Failure => {
  const message = 'cancelledReasonDescription is required when cancelledReasonCode is Other';
  return badField('cancelledReasonDescription', message, `${message}.`);
};

/** The whole amount: there is no partial capture. */
export const captureCardPayment = async (
  tools: ChangeTools,
  caller: Caller,
  paymentRequestId: string,
  key: IdempotencyKey | null,
): Promise<ReplyOf<typeof describedCaptureCardPayment>> => {
  await changeAuthorised(tools, caller, paymentRequestId, key, {
    operation: 'capture',
    step: 'CAPTURING',
    reaches: 'COMPLETED',
    poll: (rail, state) => rail.capture(state),
    resolve: (rail, state) => rail.resolveCapture(state),
  });
  return { success: true, message: 'Payment captured successfully' };
};

const withoutState = 'the state of the payment to capture is missing';

/** CAPTURE_BEFORE_EXPIRY: takes the money shortly before the authorisation ends (CARD-10). */
export const captureDue = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<void> => {
  const found = findAttempt(await loadPayment(tools.database, tenant, paymentRequestId), attemptId);
  if (!found?.card) throw new Error('the payment to capture is missing, or was not by card');
  if (!decryptRailState(tools.secrets, found)) throw new Error(withoutState);
  const { accountKey } = found.card;
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) {
    await openCases(tools, [missingKeys(tenant, accountKey, { paymentRequestId, attemptId })]);
    throw new Error(`the keys of the card account ${accountKey} are missing`);
  }
  const claim = await claimCardIntent(tools, tenant, paymentRequestId, {
    step: 'CAPTURING',
    wantedBy: 'the authorisation is about to end',
    key: null,
    onlyIf: ({ card }, now) => card?.captureBusinessAt != null && card.captureBusinessAt <= now,
  });
  if (claim.kind !== 'CLAIMED') return;
  const { payment, attempt } = claim;
  const state = decryptRailState(tools.secrets, attempt);
  if (!state) throw new Error(withoutState);
  const outcome = await rail.capture(state);
  await recordCardOutcome(tools, payment, attempt.attemptId, outcome);
};
