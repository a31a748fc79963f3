import type { Tenant } from '#kernel/environment.ts';
import { type FindAccount, missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { openRailState } from '../../core/open-rail-state.ts';
import { findAttempt } from '../../core/payment.ts';
import { loadPayment } from '../../core/store/load-payment.ts';
import { claimCardIntent } from '../outcomes/claim-card-intent.ts';
import { type RecordTools, recordCardOutcome } from '../outcomes/record-card-outcome.ts';

/** CAPTURE_BEFORE_EXPIRY: takes the money shortly before the authorisation ends (CARD-10). */
export const captureDue = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<void> => {
  const found = findAttempt(await loadPayment(tools.database, tenant, paymentRequestId), attemptId);
  if (!found?.card) return;
  const { accountKey } = found.card;
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) {
    await openCases(tools, [missingKeys(tenant, accountKey, { paymentRequestId, attemptId })]);
    throw new Error(`the keys of the card account ${accountKey} are missing`);
  }
  const claim = await claimCardIntent(tools, tenant, paymentRequestId, {
    step: 'CAPTURING',
    wantedBy: 'the authorisation is about to end',
    key: null,
    onlyIf: ({ card }, now) => card?.captureBusinessAt != null && card.captureBusinessAt <= now,
  });
  if (claim.kind !== 'CLAIMED') return;
  const { payment, attempt } = claim;
  const state = openRailState(tools.secrets, attempt);
  if (!state) return;
  const outcome = await rail.capture(state);
  await recordCardOutcome(tools, payment, attempt.attemptId, outcome);
};
