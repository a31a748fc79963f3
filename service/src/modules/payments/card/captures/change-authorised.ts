import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { CardRails } from '#modules/cards/index.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import { findOwnPayment } from '../../core/find-own-payment.ts';
import { openRailState } from '../../core/open-rail-state.ts';
import { type Attempt, latestAttempt, type Payment } from '../../core/payment.ts';
import { type CardIntent, claimCardIntent } from '../outcomes/claim-card-intent.ts';
import { type RecordTools, recordCardOutcome } from '../outcomes/record-card-outcome.ts';

export type ChangeTools = RecordTools & { readonly cardRails: CardRails };

export type AuthorisedChange = Pick<CardIntent, 'step' | 'reason'> & {
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
export const changeAuthorised = async (
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
  const state = attempt && isOpen && openRailState(tools.secrets, attempt);
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
