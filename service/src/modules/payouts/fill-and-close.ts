import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import { draftBatch, readTurn, type TransferRails } from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import { payoutLifecycle, payoutPostings } from './payout.ts';
import { settlementPeriodEnd } from './settlement-period.ts';
import { attachLines } from './store/attach-lines.ts';
import { commitPayout } from './store/commit-payout.ts';
import { carryForward, payoutOf, readPayout, readPeriod } from './store/payouts.ts';

export type CloseTools = Uses<'clock' | 'database' | 'ids' | 'secrets' | 'log'> & {
  readonly transferRails: Pick<TransferRails, 'find'>;
};

/**
 * At the end of its period a payout is handed over with all that is payable by then; one of nothing or
 * less continues (PAYOUT-2).
 */
export const closePayout = async (
  tools: CloseTools,
  tenant: Tenant,
  payoutId: string,
): Promise<number> => {
  const { database } = tools;
  if (!tools.transferRails.find(tenant.environment)) return 0;
  await fillPayouts(tools, tenant);
  const [turn] = await database.tenant(tenant.merchantId, readTurn, tenant);
  const [row] = await database.tenant(tenant.merchantId, readPayout, { ...tenant, payoutId });
  if (!turn || !row) return 0;
  const payout = payoutOf(row);
  const toStatus = payoutLifecycle.next(payout.status, 'handedOver');
  if (!toStatus) return 0;
  if (payout.amountPence <= 0n) {
    const periodEndsAt = settlementPeriodEnd(payout.now, payout.periodRule);
    const { version } = payout;
    const values = { ...tenant, payoutId, version, periodEndsAt };
    await database.tenant(tenant.merchantId, carryForward, values);
    return 1;
  }
  const { account: creditor, reference } = payout;
  const batch = draftBatch(
    tools,
    'PAYOUT',
    payout.merchantName,
    withinLimit(payout.amountPence).map((amountPence) => ({
      ...{ subjectId: payoutId, amountPence, creditor, reference },
    })),
  );
  const isWon = await commitPayout(database, {
    payout,
    toStatus,
    trigger: 'handedOver',
    endToEndId: batch.transfers[0]?.endToEndId ?? null,
    error: null,
    turnVersion: turn.version,
    postings: payoutPostings(
      payout,
      [{ moved: 'HANDED_OVER', amountPence: payout.amountPence, reason: 'PAYOUT_HANDED_OVER' }],
      tools.ids,
    ),
    batches: [batch],
    ended: [],
    releasesLines: false,
    opened: [],
  });
  return isWon ? 1 : 0;
};

const transferMaxPence = BigInt(limits.transferAmountPenceMax);

/** Faster Payments takes no more at once. */
const withinLimit = (amountPence: Pence): readonly Pence[] =>
  amountPence > transferMaxPence
    ? [pence(transferMaxPence), ...withinLimit(pence(amountPence - transferMaxPence))]
    : [amountPence];

/** Moves what became payable into the open payouts of a merchant. */
export const fillPayouts = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<number> => {
  const [turn] = await database.tenant(tenant.merchantId, readTurn, tenant);
  const [row] = await database.tenant(tenant.merchantId, readPeriod, tenant);
  if (!turn || !row) return 0;
  const rule = { period: row.settlement_period, cutOffMinutes: row.cut_off_minutes };
  const periodEndsAt = settlementPeriodEnd(row.now, rule);
  const values = { ...tenant, turnVersion: turn.version, periodEndsAt };
  const [attached] = await database.tenant(tenant.merchantId, attachLines, values);
  return attached?.lines ?? 0;
};
