import type { Tenant } from '#kernel/environment.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome, CardRail } from '#rails/card-rail.ts';
import type { Attempt, Payment } from '../../core/payment.ts';
import { findAttempt, isLeased, isPastExpiry } from '../../core/payment.ts';
import { openRailState } from '../../core/rail-state.ts';
import { loadPayment } from '../../core/store/load-payment.ts';
import type { CardReport } from './card-endings.ts';
import { giveBack } from './give-back.ts';
import { type RecordTools, recordCardOutcome } from './record-card-outcome.ts';

/**
 * Asks the processor what became of an attempt and writes the answer down: safe at any moment, by
 * anybody, any number of times. Null where there is no such attempt.
 */
export const askCardProcessor = async (
  tools: RecordTools,
  rail: CardRail,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
  asker: Asker = 'ANYONE',
): Promise<Payment | null> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const attempt = findAttempt(payment, attemptId);
  if (!payment || attempt?.method !== 'CARD') return null;
  if (attempt.step === 'PAID_TOO_LATE' || attempt.step === 'REFUNDING_LATE')
    return giveBack(tools, rail, payment, attempt);
  const state = openRailState(tools.secrets, attempt);
  const outcome = state === null ? null : await askAs(asker, rail, payment, attempt, state);
  if (!outcome) return payment;
  const closedBecause =
    payment.strictExpiry && isPastExpiry(payment) ? 'requestExpired' : 'abandoned';
  const report: CardReport = { accountKey: rail.accountKey, closedBecause };
  return recordCardOutcome(tools, payment, attemptId, outcome, report);
};

type Asker = 'ANYONE' | 'TOLD_BY_PROCESSOR';

const askAs = async (
  asker: Asker,
  rail: CardRail,
  payment: Payment,
  attempt: Attempt,
  state: string,
): Promise<CardOutcome | Refusal | null> => {
  if (asker === 'TOLD_BY_PROCESSOR') {
    // Whoever is sending it hears the same in a moment, and if not, the job asks.
    if (attempt.step === 'CHARGING' && isLeased(payment, attempt)) return null;
    if (attempt.step === 'ENDED' && isWithoutMoney(attempt)) return rail.readPayment(state);
  }
  return ask(rail, attempt, state, attempt.authoriseByBusiness <= payment.now);
};

/** News of what ended without money may be news of money that we know nothing of. */
const isWithoutMoney = ({ status, endedReason }: Attempt): boolean =>
  status === 'FAILED' || (status === 'CANCELLED' && !/GIVEN_BACK$/.test(endedReason ?? ''));

const ask = async (
  rail: CardRail,
  { step, card }: Attempt,
  state: string,
  isOver: boolean,
): Promise<CardOutcome | Refusal | null> => {
  switch (step) {
    case 'CHARGING':
      return rail.resolveCharge(state);
    case 'STEP_UP':
      return isOver ? rail.cancel(state, 'EXPIRED') : rail.readPayment(state);
    case 'AT_PROCESSOR':
      return isOver ? rail.expireSession(state) : rail.readSession(state);
    case 'AUTHORISED':
      return rail.readPayment(state);
    case 'CAPTURING':
      return rail.resolveCapture(state);
    case 'CANCELLING':
      return rail.resolveCancel(state, card?.cancelledReasonCode ?? 'Other');
    default:
      return null;
  }
};
