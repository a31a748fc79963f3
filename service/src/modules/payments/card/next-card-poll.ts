import type { Payment } from '../core/payment.ts';
import type { AttemptStep } from '../core/payment-lifecycles.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The poll interval by the age of the attempt. The processor sends events; polls find lost ones.
 */
type Plan = readonly { readonly untilPolls: number; readonly everyMs: number }[];

const afterUnknown: Plan = [
  { untilPolls: 5, everyMs: 2 * second },
  { untilPolls: 15, everyMs: 15 * second },
  { untilPolls: 40, everyMs: 2 * minute },
];

const whilePayerActs: Plan = [
  { untilPolls: 20, everyMs: 15 * second },
  { untilPolls: 40, everyMs: minute },
];

/** A refused or unheard capture is tried again: soon at first, and until the authorisation ends. */
const captureAgain: Plan = [
  { untilPolls: 3, everyMs: 15 * second },
  { untilPolls: 12, everyMs: 2 * minute },
];
const captureAgainEveryMs = 10 * minute;

const pause = (plan: Plan, pollCount: number, otherwiseMs: number): number =>
  plan.find(({ untilPolls }) => pollCount < untilPolls)?.everyMs ?? otherwiseMs;

/** When to poll the processor about an attempt at this step. */
export const nextCardPoll = (step: AttemptStep, pollCount: number, now: Date): Date => {
  if (step === 'CAPTURING') return nextCaptureTry(pollCount, now);
  const waitsForPayer = step === 'AT_PROCESSOR' || step === 'STEP_UP';
  const ms = waitsForPayer
    ? pause(whilePayerActs, pollCount, 5 * minute)
    : pause(afterUnknown, pollCount, hour);
  return new Date(now.getTime() + ms);
};

/** The end of the request closes a card page, so that it expires on time (REQUEST-5). */
export const nextPagePoll = (
  { now, expiresBusinessAt }: Pick<Payment, 'now' | 'expiresBusinessAt'>,
  pollCount: number,
): Date => {
  const next = nextCardPoll('AT_PROCESSOR', pollCount, now);
  return expiresBusinessAt > now && expiresBusinessAt < next ? expiresBusinessAt : next;
};

export const nextCaptureTry = (pollCount: number, now: Date): Date =>
  new Date(now.getTime() + pause(captureAgain, pollCount, captureAgainEveryMs));
