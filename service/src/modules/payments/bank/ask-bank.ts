import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRail, PaymentOutcome } from '#rails/bank-rail.ts';
import { changePayment } from '../core/change-payment.ts';
import { noteQuestion } from '../core/draft-change.ts';
import type { Attempt, Payment } from '../core/payment.ts';
import { findAttempt } from '../core/payment.ts';
import { openRailState, sealRailState } from '../core/rail-state.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { nextPollAt } from './poll-plan.ts';
import { recordBankStatus } from './record-bank-outcome.ts';
import { recordSubmission } from './record-submission.ts';
import { tellOfOldPayment } from './tell-operator.ts';

/** Whoever asks a bank has its answer after this, or none. */
const answerWithinMs = 45_000;

export type AskTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>;

/** Asks the bank what became of an attempt, and writes the answer down. */
export const askBank = async (
  tools: AskTools,
  rail: BankRail,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<void> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const attempt = findAttempt(payment, attemptId);
  const state = attempt && openRailState(tools.secrets, attempt);
  if (!payment || !attempt || !state || !attempt.submittedAt) return;
  if (attempt.step === 'SUBMITTING') {
    const asking = await claimQuestion(tools, payment, attempt);
    if (!asking) return;
    const outcome = await rail.resolveSubmission(state);
    const after = await recordSubmission(tools, payment, asking, outcome);
    await tellOfOldPayment(tools, after, attemptId);
  } else {
    await recordAnswer(tools, payment, attempt, await rail.readPayment(state));
  }
};

/** Written down before a message is sent again, so that what an earlier asker heard is known as old. */
const claimQuestion = async (
  tools: AskTools,
  payment: Payment,
  asked: Attempt,
): Promise<Attempt | null> => {
  let isNoted = false;
  const after = await changePayment(
    tools,
    payment.tenant,
    payment.paymentRequestId,
    (current, change) => {
      const attempt = findAttempt(current, asked.attemptId);
      isNoted = attempt?.step === 'SUBMITTING' && attempt.pollCount === asked.pollCount;
      if (isNoted)
        noteQuestion(change, asked.attemptId, {
          pollCount: asked.pollCount + 1,
          pollBusinessAt: new Date(current.now.getTime() + answerWithinMs),
        });
      return isNoted;
    },
  );
  const attempt = findAttempt(after, asked.attemptId);
  return isNoted && attempt ? attempt : null;
};

const recordAnswer = async (
  tools: AskTools,
  payment: Payment,
  asked: Attempt,
  outcome: PaymentOutcome,
): Promise<void> => {
  const { attemptId } = asked;
  const after = await changePayment(
    tools,
    payment.tenant,
    payment.paymentRequestId,
    (current, change) => {
      const attempt = findAttempt(current, attemptId);
      if (!attempt?.submittedAt || attempt.step !== 'SUBMITTED') return false;
      if (outcome.kind === 'STATUS') {
        noteQuestion(change, attemptId, {
          railStateEncrypted: sealRailState(tools.secrets, attemptId, outcome.state),
        });
        recordBankStatus(tools, current, change, attempt, outcome.status);
      } else {
        noteQuestion(change, attemptId, {
          pollCount: attempt.pollCount + 1,
          pollBusinessAt: nextPollAt(attempt.submittedAt, current.now, attempt.isSettled),
        });
      }
      return true;
    },
  );
  await tellOfOldPayment(tools, after, attemptId);
};
