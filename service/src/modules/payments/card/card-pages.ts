import type { Tenant } from '#kernel/environment.ts';
import type { FindAccount } from '#modules/cards/index.ts';
import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import { decryptRailState } from '../core/encrypted-columns.ts';
import { type Attempt, findAttempt, type Payment, waitsForPayer } from '../core/payment.ts';
import { isCounted } from '../core/payment-lifecycles.ts';
import { findOwnPayment } from '../core/store/load-payment.ts';
import { cancelPaymentRequest, refuseUncancellable } from '../requests/end-request.ts';
import type { CardReport } from './complete-card.ts';
import { type RecordTools, recordCardOutcome } from './outcomes.ts';

/**
 * Ends what a payer left open at the processor, so that another method can be offered (CARD-2). If
 * it was paid meanwhile, that counts. If the processor does not answer, the attempt stays as it
 * was.
 */
const closeCardPage = async (
  tools: RecordTools,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
  closedBecause: NonNullable<CardReport['closedBecause']>,
): Promise<Payment> => {
  const state = decryptRailState(tools.secrets, attempt);
  if (!waitsForPayer(attempt) || state === null) return payment;
  const outcome = await close(rail, attempt, state);
  return recordCardOutcome(tools, payment, attempt.attemptId, outcome, {
    closedBecause,
  });
};

const close = async (rail: CardRail, { step }: Attempt, state: string): Promise<CardOutcome> => {
  if (step !== 'STEP_UP') return rail.expireSession(state);
  const outcome = await rail.cancel(state, 'SUPERSEDED');
  // It can no longer be cancelled: its actual outcome counts.
  return outcome.kind === 'REFUSED' ? rail.readPayment(state) : outcome;
};

/**
 * Closes the pages on which a payer may still pay: all, before the request ends, or those given. If
 * the processor does not answer, a page stays open.
 */
export const closeCardPages = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  payment: Payment,
  closedBecause: NonNullable<CardReport['closedBecause']>,
  isMeant: (attempt: Attempt) => boolean = () => true,
): Promise<Payment> => {
  const open = payment.attempts.filter((attempt) => waitsForPayer(attempt) && isMeant(attempt));
  let current = payment;
  for (const attempt of open) {
    const rail = await findRail(tools.cardRails, payment, attempt);
    if (rail) current = await closeCardPage(tools, rail, current, attempt, closedBecause);
  }
  return current;
};

const findRail = async (
  cardRails: FindAccount,
  { tenant }: Payment,
  { card }: Attempt,
): Promise<CardRail | null> => card && cardRails.findAccount(tenant, card.accountKey);

/**
 * Checks first, closes the card pages, and checks again in the statement that cancels. A page that
 * was paid meanwhile ends it: the pages of other payers stay open.
 */
export const cancelWithCardPages = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  let payment = await findOwnPayment(tools, tenant, paymentRequestId);
  if (payment.status !== 'CANCELLED') refuseUncancellable(payment);
  for (const { attemptId } of payment.attempts.filter(waitsForPayer)) {
    payment = await closeCardPages(
      tools,
      payment,
      'requestCancelled',
      (attempt) => attempt.attemptId === attemptId,
    );
    const closed = findAttempt(payment, attemptId);
    if (!closed || waitsForPayer(closed) || isCounted(closed)) break;
  }
  return cancelPaymentRequest(tools, tenant, paymentRequestId);
};
