import type { Tenant } from '#kernel/environment.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { openRailState } from '../../core/open-rail-state.ts';
import { claimCardIntent } from '../outcomes/claim-card-intent.ts';
import { type RecordTools, recordCardOutcome } from '../outcomes/record-card-outcome.ts';

/** CAPTURE_BEFORE_EXPIRY: takes the money shortly before the authorisation ends (CARD-10). */
export const captureDue = async (
  tools: RecordTools,
  rail: CardRail,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<void> => {
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
  await recordCardOutcome(tools, payment, attempt.attemptId, outcome, {
    accountKey: rail.accountKey,
  });
};
