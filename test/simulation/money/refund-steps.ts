import { setSwitches } from '../../../service/src/modules/merchants/index.ts';
import { pollCardProcessor } from '../../../service/src/modules/payments/card/poll-card-processor.ts';
import {
  enterRefundAccount,
  followCardRefund,
} from '../../../service/src/modules/refunds/index.ts';
import { cancelRefund } from '../../../service/src/modules/refunds/requests/cancel-refund.ts';
import { requestRefund } from '../../../service/src/modules/refunds/requests/request-refund.ts';
import { noTrace } from '../../../service/src/platform/http/request-trace.ts';
import { endRefund, leftPence, type Model, type ModelPayment, type ModelRefund } from './model.ts';
import { jobsOf, type Money, type Operation, type Outcome, type Weather } from './open-money.ts';
import { newKey, untilAnswered } from './payment-steps.ts';

export type RefundOrder = { readonly pence: bigint; readonly fails: boolean };

export type Reply = {
  readonly refundId: string;
  readonly status: ModelRefund['status'];
  readonly createdAt: string;
};

export const requestOperation = (
  money: Money,
  payment: ModelPayment,
  { pence, fails }: RefundOrder,
): Operation<Reply> => {
  const key = newKey();
  const body = {
    paymentRequestId: payment.requestId,
    amount: Number(pence) / 100,
    ...(payment.idempotencyId ? { paymentIdempotencyId: payment.idempotencyId } : {}),
    ...(fails ? { refundNotes: 'FAILURE TEST' } : {}),
  };
  return async (tools) => {
    const reply = await requestRefund(tools, money.caller, {
      body,
      idempotencyKey: key,
      ...noTrace,
    });
    return ('refundId' in reply ? reply : JSON.parse(reply.replayed.reply)) as Reply;
  };
};

/** Several refunds at once, each sent twice under its key: together never more than was paid. */
export const requestRefunds = async (
  model: Model,
  money: Money,
  payment: ModelPayment,
  orders: readonly RefundOrder[],
  weather: Weather,
): Promise<void> => {
  const twice = requestTwice(money, payment, orders);
  const answers = await untilAnswered(money, await money.together(weather, twice), twice);
  acceptRefunds(model, payment, orders, answers);
};

/** The same while no job runs: none is killed, so that none has to be asked again after a rest. */
export const requestUnprepared = async (
  model: Model,
  money: Money,
  payment: ModelPayment,
  orders: readonly RefundOrder[],
  { seed }: Weather,
): Promise<void> => {
  const twice = requestTwice(money, payment, orders);
  const answers = await money.together({ seed, kill: 0, fault: 0 }, twice);
  acceptRefunds(model, payment, orders, answers);
};

export const requestTwice = (
  money: Money,
  payment: ModelPayment,
  orders: readonly RefundOrder[],
): readonly Operation<Reply>[] => {
  const operations = orders.map((order) => requestOperation(money, payment, order));
  return [...operations, ...operations];
};

/** `mayRefuse`: the payment was not the same from beginning to end. */
export const acceptRefunds = (
  model: Model,
  payment: ModelPayment,
  orders: readonly RefundOrder[],
  answers: readonly Outcome<Reply>[],
  mayRefuse = false,
): void => {
  const refused: RefundOrder[] = [];
  for (const [at, order] of orders.entries()) {
    const [first, second] = [answers[at], answers[at + orders.length]];
    const ids = [first, second].map((each) => each?.kind === 'DONE' && each.value.refundId);
    if (ids[0] !== ids[1] && !mayRefuse)
      throw new Error(`one key, two answers: ${JSON.stringify(ids)}`);
    const done = [first, second].find((each) => each?.kind === 'DONE');
    if (done?.kind === 'DONE') acceptRefund(model, payment, order, done.value);
    else refused.push(order);
  }
  const left = leftPence(model, payment);
  if (left < 0n) throw new Error(`${-left} pence more than was paid is refunded`);
  const wronged = refused.filter(({ pence }) => payment.status === 'COMPLETED' && pence <= left);
  if (wronged.length > 0 && !mayRefuse)
    throw new Error(`${wronged[0]?.pence} of ${left} pence was refused`);
};

export const acceptRefund = (
  model: Model,
  payment: ModelPayment,
  { pence, fails }: RefundOrder,
  { refundId, createdAt }: Reply,
): void => {
  if (payment.status === 'PENDING' || payment.status === 'AUTHORIZED')
    throw new Error(`${refundId} refunds a payment that is ${payment.status}`);
  model.refunds.push({
    ...{ refundId, createdAt, payment, pence, waitsFor: null },
    status: fails ? 'FAILED' : 'INITIATED',
    step: fails ? 'ENDED' : 'WAITING',
    hasAccount: payment.showsPayer,
    heldPence: 0n,
    events: fails ? 1 : 0,
  });
};

const pauseOperation =
  ({ tenant }: Money, transferHubPaused: boolean): Operation<unknown> =>
  (tools) =>
    setSwitches(tools, tenant, { transferHubPaused });

export const setPaused = async (model: Model, money: Money, isPaused: boolean): Promise<void> => {
  await pauseOperation(money, isPaused)(money.calm);
  model.isPaused = isPaused;
};

/** Cancelled twice while it may be handed over, if jobs run: it is one or the other. */
export const cancelInRace = async (
  model: Model,
  money: Money,
  refund: ModelRefund,
  unpauses: boolean,
  weather: Weather,
  jobsRun = true,
): Promise<void> => {
  const cancel: Operation<unknown> = (tools) => cancelRefund(tools, money.tenant, refund.refundId);
  const work: Operation<unknown> = async (tools) => {
    for (const job of jobsOf(tools).slice(0, 3)) await job();
  };
  const unpause = unpauses ? [pauseOperation(money, false)] : [];
  const working = jobsRun ? [work, work] : [];
  const outcomes = await money.together(weather, [cancel, cancel, ...unpause, ...working]);
  const cancels = outcomes.slice(0, 2);
  const couldBe = model.isPaused && refund.step === 'WAITING';
  if (unpauses) await setPaused(model, money, false);
  const isCancelled = await wasCancelled(money, refund, cancels);
  if (isCancelled && !couldBe) throw new Error(`${refund.refundId} was handed over and cancelled`);
  if (cancels.filter(({ kind }) => kind === 'DONE').length > 1)
    throw new Error(`${refund.refundId} was cancelled twice`);
  if (couldBe && !unpauses && !isCancelled && cancels.some(({ kind }) => kind === 'REFUSED'))
    throw new Error(`${refund.refundId} could not be cancelled`);
  if (isCancelled) endRefund(refund, 'CANCELLED');
};

/** A killed program may have committed the cancellation, which is then what the row says. */
const wasCancelled = async (
  { tools, tenant }: Money,
  { refundId, status }: ModelRefund,
  cancels: readonly Outcome<unknown>[],
): Promise<boolean> => {
  if (status === 'CANCELLED') return false;
  if (cancels.some(({ kind }) => kind === 'DONE')) return true;
  if (!cancels.some(({ kind }) => kind === 'KILLED')) return false;
  const [row] = await tools.database.tenant<{ id: string }, { readonly status: string }>(
    tenant.merchantId,
    {
      name: 'test_model_refund_status',
      text: 'select status from refund where refund_id = $1::uuid',
      valueNames: ['id'],
    },
    { id: refundId },
  );
  return row?.status === 'CANCELLED';
};

const account = { sortCode: '089999', accountNumber: '66374958', name: 'Pat Payer' };

export const enterAccount = async (
  money: Money,
  refund: ModelRefund,
  weather: Weather,
): Promise<void> => {
  const enter: Operation<unknown> = (tools) =>
    enterRefundAccount(tools, money.tenant, refund.refundId, account, 'model');
  const outcomes = await money.together(weather, [enter, enter]);
  const entered = outcomes.filter(({ kind }) => kind === 'DONE').length;
  if (entered > 1) throw new Error('an account was entered twice');
  if (outcomes.every(({ kind }) => kind === 'KILLED'))
    await money.together({ seed: 1, kill: 0, fault: 0 }, [enter]);
  Object.assign(refund, { hasAccount: true, waitsFor: null });
};

/** The processor's outcome, followed by two programs at once. */
export const answerCardRefund = async (
  money: Money,
  refund: ModelRefund,
  wanted: 'COMPLETED' | 'FAILED',
  weather: Weather,
): Promise<void> => {
  const atProcessor = money.processor.refunds.get(refund.refundId);
  if (!atProcessor) throw new Error(`the processor does not know ${refund.refundId}`);
  atProcessor.status = wanted;
  const follow: Operation<unknown> = (tools) =>
    followCardRefund(tools, money.tenant, {
      refundId: refund.refundId,
      attemptId: atProcessor.attemptId,
    });
  await money.together(weather, [follow, follow]);
  await follow(money.calm);
  endRefund(refund, wanted);
};

/** The merchant refunds in the processor's dashboard; two programs receive the event. */
export const refundAtProcessor = async (
  money: Money,
  payment: ModelPayment,
  pence: bigint,
  weather: Weather,
): Promise<void> => {
  const atProcessor = money.processor.payments.get(payment.attemptId);
  if (!atProcessor) throw new Error(`the processor does not know ${payment.attemptId}`);
  atProcessor.dashboard.push(pence);
  const { tenant } = money;
  const follow: Operation<unknown> = (tools) =>
    pollCardProcessor(tools, tenant, payment.requestId, payment.attemptId, 'REFUND_REPORTED');
  await money.together(weather, [follow, follow]);
  await follow(money.calm);
  payment.refundedAtProcessorPence += pence;
};
