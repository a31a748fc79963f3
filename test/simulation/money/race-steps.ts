import { setSwitches } from '../../../service/src/modules/merchants/index.ts';
import { advance } from '../scripted-bank.ts';
import { endPeriodNow, subjectOf } from './bank-steps.ts';
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

/** What happens at the same moment. Each job is a process of its own, as often as it stands there. */
export type Race = {
  readonly jobs: readonly number[];
  readonly refunded: ModelPayment | undefined;
  readonly orders: readonly RefundOrder[];
  /** The bank moves it on. */
  readonly moved: ModelPayment | undefined;
  readonly answered: { readonly transfer: HubTransfer; readonly wanted: HubAnswer } | undefined;
  readonly endsPeriods: boolean;
  readonly unpauses: boolean;
};

/**
 * Refunds are asked for, payments move, the bank answers and periods end while every job runs, step by
 * step in an order of chance: whatever goes first, no account pays more than it has.
 */
export const race = async (
  model: Model,
  money: Money,
  { jobs, refunded, orders, moved, answered, endsPeriods, unpauses }: Race,
  weather: Weather,
): Promise<void> => {
  model.isRaced = true;
  if (endsPeriods) await endPeriodNow(model, money);
  const applyBankAnswer = await answerAtBank(model, money, answered);
  const follow = moveOn(money, moved);
  const requests = refunded ? requestTwice(money, refunded, orders) : [];
  const meanwhile = [...follow, ...(unpauses ? [unpause(money)] : []), ...jobs.map(jobOperation)];
  const outcomes = await money.together<unknown>(weather, [...requests, ...meanwhile]);
  if (unpauses) await setPaused(model, money, false);
  const first = outcomes.slice(0, requests.length) as readonly Outcome<Reply>[];
  const answers = await untilAnswered(money, first, requests);
  for (const poll of follow) await poll(money.calm);
  if (moved) followBank(money, moved);
  applyBankAnswer();
  if (refunded) acceptRefunds(model, refunded, orders, answers, refunded === moved);
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
  return () => applyAnswer(subject, transfer);
};

const moveOn = (money: Money, moved: ModelPayment | undefined): readonly Operation<unknown>[] => {
  const booked = moved && bookedOf(money, moved.idempotencyId);
  if (!moved || !booked) return [];
  advance(booked);
  return [pollOperation(money, moved)];
};

const jobOperation =
  (job: number): Operation<unknown> =>
  async (tools: MoneyTools) => {
    const jobs = jobsOf(tools);
    await jobs[job % jobs.length]?.();
  };

const unpause =
  ({ tenant }: Money): Operation<unknown> =>
  (tools) =>
    setSwitches(tools, tenant, { transferHubPaused: false });
