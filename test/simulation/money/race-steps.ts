import { setSwitches } from '../../../service/src/modules/merchants/index.ts';
import { advance } from '../scripted-bank.ts';
import { endPeriodNow, partsOf, subjectOf } from './bank-steps.ts';
import { applyAnswer, type Model, type ModelPayment } from './model.ts';
import {
  jobsOf,
  type Money,
  type MoneyTools,
  type Operation,
  type Outcome,
  type Weather,
} from './open-money.ts';
import { bookedOf, followBank, pollOperation, untilAnswered } from './payment-steps.ts';
import {
  acceptRefunds,
  type RefundOrder,
  type Reply,
  requestTwice,
  setPaused,
} from './refund-steps.ts';
import type { HubAnswer, HubTransfer } from './scripted-hub.ts';

/** What happens at the same moment. */
export type Race = {
  /** Programs, each with the jobs that it runs one after the other. */
  readonly workers: readonly (readonly number[])[];
  readonly refunded: ModelPayment | undefined;
  readonly orders: readonly RefundOrder[];
  /** The bank moves it on. */
  readonly moved: ModelPayment | undefined;
  readonly answered: { readonly transfer: HubTransfer; readonly wanted: HubAnswer } | undefined;
  readonly endsPeriods: boolean;
  readonly unpauses: boolean;
};

/**
 * Refunds are asked for, payments move, the bank answers and periods end while workers run, step by
 * step in an order of chance: whatever goes first, no account pays more than it has.
 */
export const race = async (
  model: Model,
  money: Money,
  { workers, refunded, orders, moved, answered, endsPeriods, unpauses }: Race,
  weather: Weather,
): Promise<void> => {
  model.isRaced = true;
  if (endsPeriods) await endPeriodNow(model, money);
  const applyBankAnswer = await answerAtBank(model, money, answered);
  const follow = moveOn(money, moved);
  const requests = refunded ? requestTwice(money, refunded, orders) : [];
  const meanwhile = [
    ...follow,
    ...(unpauses ? [unpause(money)] : []),
    ...workers.map(workerOperation),
  ];
  const outcomes = await money.together<unknown>(weather, [...requests, ...meanwhile]);
  if (unpauses) await setPaused(model, money, false);
  const first = outcomes.slice(0, requests.length) as readonly Outcome<Reply>[];
  const answers = await untilAnswered(money, first, requests);
  for (const poll of follow) await poll(money.calm);
  if (moved) followBank(money, moved);
  applyBankAnswer();
  // A refund that the bank refuses makes room for one that was refused a moment ago.
  const mayRefuse = refunded === moved || answered !== undefined;
  if (refunded) acceptRefunds(model, refunded, orders, answers, mayRefuse);
};

/** Answers what it does to the model, once the message is read. */
const answerAtBank = async (
  model: Model,
  money: Money,
  answered: Race['answered'],
): Promise<() => void> => {
  if (!answered) return () => undefined;
  const { transfer, wanted } = answered;
  const subject = await subjectOf(model, money, transfer);
  money.hub.answer(transfer, wanted, { copies: 1, byStatement: false });
  return () => applyAnswer(subject, partsOf(money, subject, transfer));
};

const moveOn = (money: Money, moved: ModelPayment | undefined): readonly Operation<unknown>[] => {
  const booked = moved && bookedOf(money, moved.idempotencyId);
  if (!moved || !booked) return [];
  advance(booked);
  return [pollOperation(money, moved)];
};

const workerOperation =
  (numbers: readonly number[]): Operation<unknown> =>
  async (tools: MoneyTools) => {
    const jobs = jobsOf(tools);
    for (const number of numbers) await jobs[number % jobs.length]?.();
  };

const unpause =
  ({ tenant }: Money): Operation<unknown> =>
  (tools) =>
    setSwitches(tools, tenant, { transferHubPaused: false });
