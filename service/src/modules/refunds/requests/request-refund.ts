import {
  type BodyOf,
  type requestRefund as described,
  failures,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { requireSwitch } from '#modules/merchants/index.ts';
import {
  type Attempt,
  findOwnPayment,
  isPaid,
  type Payment,
  standingAttempt,
  totalPence,
  voidedSaleOf,
} from '#modules/payments/index.ts';
import type { TransferRails } from '#modules/transfers/index.ts';
import { noTrace, type RequestTrace } from '#platform/http/request-trace.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replay } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore, type SavedReply } from '#platform/idempotency/store.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refund } from '../core/refund.ts';
import { refundView } from './list-refunds.ts';
import { type Approval, findAloneLimit, insertRefund } from './store/insert-refund.ts';

/** The completed payment that is meant; of several in a split bill the caller names one. */
export const chooseAttempt = (
  payment: Payment,
  paymentIdempotencyId: string | undefined,
): Attempt => {
  const completed = payment.attempts.filter(isPaid);
  if (paymentIdempotencyId !== undefined) return named(payment, paymentIdempotencyId);
  const [only, ...more] = completed;
  if (!only) throw notCompleted();
  if (more.length > 0) throw severalCompleted(completed);
  return only;
};

const named = (payment: Payment, paymentIdempotencyId: string): Attempt => {
  const attempt = payment.attempts.find(
    (other) => other.paymentIdempotencyId === paymentIdempotencyId,
  );
  if (!attempt) throw badId('paymentIdempotencyId is not a payment of this payment request.');
  // A client that started again may hold the id of a start that another superseded (BANK-3).
  const paid = standingAttempt(payment, attempt);
  if (!isPaid(paid)) throw notCompleted();
  return paid;
};

const notCompleted = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only a completed payment can be refunded.',
  });

const severalCompleted = (completed: readonly Attempt[]): Failure => {
  const ids = completed.map((attempt) => attempt.paymentIdempotencyId).join(', ');
  return badId(
    `This bill was paid by several people: send the paymentIdempotencyId of one of them: ${ids}.`,
  );
};

const badId = (message: string): Failure =>
  new Failure(failures.badRequest, {
    message,
    errors: [{ field: 'paymentIdempotencyId', message }],
  });

/** 403 for a refund that needs a second person. The statement that makes a refund checks the same. */
const requireAlone = async (
  { database }: Uses<'database'>,
  caller: Pick<Caller, 'by' | 'tenant'>,
  { paymentRequestId, amountPence }: Pick<Refund, 'paymentRequestId' | 'amountPence'>,
): Promise<void> => {
  if (!isLimited(caller)) return;
  const { tenant } = caller;
  const values = { ...tenant, paymentRequestId };
  const [row] = await database.tenant(tenant.merchantId, findAloneLimit, values);
  if (!row || row.above_pence === null) return;
  if (row.refunded_pence + amountPence <= row.above_pence) return;
  const above = poundsText(pence(row.above_pence));
  throw new Failure(failures.notPermitted, {
    message: `To refund more than £${above} of a payment needs a second person: propose it.`,
  });
};

/** Members refund alone up to the limit of the merchant; programs with a secret have none (REFUND-11). */
const isLimited = ({ by }: Pick<Caller, 'by'>): boolean => by.kind === 'person';

type Body = BodyOf<typeof described>;
type Asked = RequestTrace & {
  readonly body: Body;
  readonly idempotencyKey: IdempotencyKey | null;
};
type Reply = ReplyOf<typeof described>;

export type RequestTools = Uses<'database' | 'ids' | 'wakeDispatcher'> & {
  readonly cardRails: Pick<CardRails, 'needAccount'>;
  readonly transferRails: TransferRails;
};

/** Reserves a part of what was paid, in one statement with the Idempotency-Key. A job sends it. */
export const requestRefund = async (
  tools: RequestTools,
  caller: Caller,
  call: Asked,
  /** The caller is the second person. */
  approval: Approval | null = null,
): Promise<Reply | Replay> => {
  const { body, idempotencyKey: key } = call;
  const stored = key && (await storedReply(tools, caller, key));
  if (key && stored) return replay(stored, key);
  const refund = await draftRefund(tools, caller, body, call);
  if (!approval) await requireAlone(tools, caller, refund);
  const reply = refundView(refund);
  const consent = { isLimited: !approval && isLimited(caller), approval };
  const { inserted, endpoints } = await insertRefund(
    tools,
    refund,
    key,
    JSON.stringify(reply),
    consent,
  );
  if (inserted) {
    tools.wakeDispatcher(endpoints);
    return reply;
  }
  // Another call with this key may have taken the rest.
  const storedMeanwhile = key && (await storedReply(tools, caller, key));
  if (key && storedMeanwhile) return replay(storedMeanwhile, key);
  if (!approval) await requireAlone(tools, caller, refund);
  throw moreThanLeft();
};

/** What the payment and the rails allow; that enough is left is for the statement to say. */
export const draftRefund = async (
  tools: RequestTools,
  caller: Pick<Caller, 'tenant'>,
  body: Body,
  trace = noTrace,
): Promise<Refund> => {
  await requireSwitch(tools, caller.tenant, 'refunds');
  const amountPence = requireAmount(body.amount);
  const payment = await findOwnPayment(tools, caller.tenant, body.paymentRequestId);
  const attempt = chooseAttempt(payment, body.paymentIdempotencyId);
  requireMaxAmount(amountPence, totalPence(attempt));
  await requireRail(tools, caller, attempt);
  const { requestId, traceparent } = trace;
  const refund = newRefund(tools, payment, attempt, amountPence, body.refundNotes ?? null);
  return { ...refund, requestId, traceparent };
};

const storedReply = (
  { database }: RequestTools,
  { tenant }: Caller,
  { key }: IdempotencyKey,
): Promise<SavedReply | undefined> => idempotencyStore(database).read(tenant, 'requestRefund', key);

const requireAmount = (amount: number): Pence => {
  const amountPence = penceFromPounds(amount);
  if (amountPence === null) throw badAmount('amount must have at most two decimals.');
  return amountPence;
};

const requireMaxAmount = (amountPence: Pence, paidPence: Pence): void => {
  if (amountPence > paidPence)
    throw badAmount(`amount must not be more than what was paid: ${poundsText(paidPence)}.`);
};

export const moreThanLeft = (): Failure =>
  badAmount('amount is more than what is left of the payment to be refunded.');

const badAmount = (message: string): Failure =>
  new Failure(failures.badRequest, { message, errors: [{ field: 'amount', message }] });

const requireRail = async (
  tools: RequestTools,
  { tenant }: Pick<Caller, 'tenant'>,
  attempt: Attempt,
): Promise<void> => {
  if (attempt.card) await tools.cardRails.needAccount(tenant, attempt.card.accountKey);
  else if (attempt.settlesTo === 'COLLECTING_ACCOUNT') tools.transferRails.need(tenant.environment);
  else
    throw new Failure(failures.notEnabled, {
      message: 'This payment went to your own bank account: refund it from there.',
    });
};

const newRefund = (
  { ids }: Uses<'ids'>,
  payment: Payment,
  attempt: Attempt,
  amountPence: Pence,
  notes: string | null,
): Refund => {
  const fails =
    payment.tenant.environment === 'SANDBOX' && notes !== null && notes.includes('FAILURE TEST');
  return {
    tenant: payment.tenant,
    refundId: ids.uuid(),
    paymentRequestId: payment.paymentRequestId,
    attemptId: attempt.attemptId,
    paymentIdempotencyId: attempt.paymentIdempotencyId,
    orderId: payment.orderId,
    storeId: payment.store.id,
    secretId: payment.secretId,
    method: attempt.method,
    status: fails ? 'FAILED' : 'INITIATED',
    step: fails ? 'ENDED' : 'WAITING',
    waitsFor: null,
    version: 1,
    amountPence,
    paidPence: totalPence(attempt),
    notes,
    ...noTrace,
    sale: voidedSaleOf(payment, attempt),
    accountEncrypted: null,
    endToEndId: null,
    railStateEncrypted: null,
    railReference: null,
    errorCode: null,
    errorDescription: fails ? 'A simulated failure: the note contains FAILURE TEST.' : null,
    eventSequence: fails ? 1 : 0,
    pollCount: 0,
    dueBusinessAt: fails ? null : payment.now,
    handedOverAt: null,
    createdAt: payment.now,
    updatedAt: payment.now,
    now: payment.now,
  };
};
