import type { Tenant } from '#kernel/environment.ts';
import { casesValue } from '#modules/operator-cases/index.ts';
import { DatabaseUnavailable, isTimeout } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { markHeld } from './store.ts';

const pauseMs = 5 * 60_000;

/** A refund that could not be decided or written, and why. */
export type HeldRefund = {
  readonly refundId: string;
  readonly version: number;
  readonly error: unknown;
};

/**
 * Noted with its reason and tried again later, so that the other refunds of the merchant go on. One whose row
 * is locked is tried again in the next round.
 */
export const holdRefund = async (
  { database, log }: Uses<'database' | 'log'>,
  tenant: Tenant,
  { refundId, version, error }: HeldRefund,
): Promise<void> => {
  const reason = reasonOf(error);
  log.warn({ ...tenant, refundId, error: reason }, 'a refund could not be handed over');
  const opened = {
    kind: 'REFUND_HELD' as const,
    subject: refundId,
    description:
      'A refund cannot be handed over. It is tried again every five minutes, and nothing waits for it.',
    evidence: { refundId, reason },
  };
  const cases = casesValue([{ resourceId: refundId, opened }]);
  const values = { ...tenant, refundId, version, pauseMs, cases };
  try {
    await database.tenant(tenant.merchantId, markHeld, values);
  } catch (failure) {
    if (!isTimeout(failure)) throw failure;
    log.warn({ ...tenant, refundId, error: reasonOf(failure) }, 'a refund could not be held');
  }
};

/** Not where the database is away: that is nobody's fault. What takes too long may wait for one row. */
export const isOfOne = (error: unknown): boolean =>
  isTimeout(error) || !(error instanceof DatabaseUnavailable);

/** The message of a parser may quote the text, which is an account. */
const reasonOf = (error: unknown): string =>
  error instanceof SyntaxError ? 'Its stored data cannot be read.' : (error as Error).message;
