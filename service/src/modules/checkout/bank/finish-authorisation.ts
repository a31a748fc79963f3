import { findOpenId } from '#modules/merchants/index.ts';
import {
  type Attempt,
  claimExchange,
  claimSubmission,
  closeCardPages,
  decryptRailState,
  endAttempt,
  isAlternativeTo,
  isAtProcessor,
  loadPayment,
  type Payment,
  recordSubmission,
} from '#modules/payments/index.ts';
import type { BankRail, ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import { bankUnreachable, type CheckoutTools } from './start-bank-payment.ts';

export type Finished =
  | { readonly kind: 'FINISHED'; readonly payment: Payment }
  /** Not from a bank of ours, or no payment of ours: nothing changed. */
  | { readonly kind: 'BAD_RETURN' }
  /** The bank's keys cannot be read now: the same return may be brought again. */
  | { readonly kind: 'UNVERIFIED' };

/**
 * The payer returned from the bank, in any browser. The return is verified, the rest is read from
 * the bank server to server. A second return of the same payer changes nothing.
 */
export const finishAuthorisation = async (
  tools: CheckoutTools,
  parameters: ReturnParameters,
  oauthState: string,
): Promise<Finished> => {
  const found = await findOpenId(tools, oauthState, 'BANK_STATE');
  const payment = found && (await loadPayment(tools.database, found.tenant, found.targetId));
  const attempt = payment?.attempts.find((other) => other.oauthState === oauthState);
  if (!found || !payment || !attempt) return { kind: 'BAD_RETURN' };
  const rail = tools.bankRails.need(found.tenant.environment);
  const state = decryptRailState(tools.secrets, attempt);
  if (attempt.step !== 'AT_BANK' || !state) return { kind: 'FINISHED', payment };
  const outcome = await rail.readReturn(state, parameters);
  if (outcome.kind === 'INVALID') {
    tools.log.warn({ attemptId: attempt.attemptId }, 'a return was not from the bank');
    return { kind: 'BAD_RETURN' };
  }
  if (outcome.kind === 'UNKNOWN') return { kind: 'UNVERIFIED' };
  return { kind: 'FINISHED', payment: await goOn(tools, rail, payment, attempt, outcome) };
};

type Answered = Exclude<ReturnOutcome, { readonly kind: 'INVALID' | 'UNKNOWN' }>;

const goOn = async (
  tools: CheckoutTools,
  rail: BankRail,
  payment: Payment,
  attempt: Attempt,
  outcome: Answered,
): Promise<Payment> => {
  const { attemptId } = attempt;
  if (outcome.kind === 'DECLINED') {
    const trigger = outcome.byPayer ? 'declinedByPayer' : 'refusedByBank';
    return endAttempt(tools, payment, attemptId, trigger, outcome);
  }
  // What was paid on a page meanwhile counts, and then this approval is too late.
  const isAlternative = isAlternativeTo(attempt);
  await closeCardPages(
    tools,
    payment,
    'superseded',
    (other) => isAtProcessor(other) && isAlternative(other),
  );
  const claimed = await claimExchange(tools, payment, attemptId, outcome.state);
  if (claimed.kind === 'TOO_LATE') return claimed.payment;
  const exchanged = await rail.exchange(outcome.state, outcome.code);
  if (exchanged.kind !== 'EXCHANGED') {
    const reason = exchanged.kind === 'REFUSED' ? exchanged : bankUnreachable;
    return endAttempt(tools, claimed.payment, attemptId, 'exchangeLost', reason);
  }
  const submitting = await claimSubmission(tools, claimed.payment, attemptId, exchanged);
  if (submitting.kind === 'TOO_LATE') return submitting.payment;
  const submitted = await rail.submit(exchanged.state);
  return recordSubmission(tools, submitting.payment, submitting.attempt, submitted);
};
