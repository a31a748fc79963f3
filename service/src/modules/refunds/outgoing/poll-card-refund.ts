import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { findAttempt, loadPayment } from '#modules/payments/index.ts';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import { openRefundState } from '../core/refund-state.ts';
import { readRefund } from '../core/store/read-refunds.ts';
import type { HandOverTools } from './hand-over.ts';
import { recordCardRefund } from './record-card-refund.ts';

type PollTools = Omit<HandOverTools, 'transferRails' | 'log'>;

const unknown = {
  kind: 'UNKNOWN',
  description: 'The keys of the account at the card processor are missing.',
} as const;

/**
 * Polls the processor for the outcome of a refund, also of one whose sending was lost, at the account
 * that was paid (CARD-20).
 */
export const pollCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  refundId: string,
): Promise<CardRefundOutcome | null> => {
  const refund = await readRefund(tools.database, tenant, refundId);
  const state = refund && openRefundState(tools.secrets, refund);
  if (!refund || !state) return null;
  const { paymentRequestId, attemptId } = refund;
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const accountKey = findAttempt(payment, attemptId)?.card?.accountKey ?? '';
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) await openCases(tools, [missingKeys(tenant, accountKey, { refundId, attemptId })]);
  const outcome = rail ? await rail.readRefund(state) : unknown;
  await recordCardRefund(tools, tenant, refundId, outcome);
  return outcome;
};

/**
 * After an event of the processor, which sends it again when this fails. False: the attempt has no such
 * refund of ours.
 */
export const followCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  { refundId, attemptId }: { readonly refundId: string; readonly attemptId: string },
): Promise<boolean> => {
  const refund = isUuid(refundId) ? await readRefund(tools.database, tenant, refundId) : null;
  if (refund?.attemptId !== attemptId) return false;
  const outcome = await pollCardRefund(tools, tenant, refundId);
  if (outcome?.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: outcome.description });
  return true;
};
