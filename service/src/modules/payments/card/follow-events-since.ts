import type { Tenant } from '#kernel/environment.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { isElsewhere } from '#platform/database/database-unavailable.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { attemptOf, type FollowTools, follow } from './rail-routes.ts';

export type Followed = {
  readonly events: number;
  /** False: the processor has more events than are read. */
  readonly isComplete: boolean;
  /** Payments at the processor that nothing here explains: each is a case. */
  readonly unknown: readonly string[];
  /** Of merchants in another cell, or on their way to one: left to that. */
  readonly elsewhere: number;
};

/**
 * After a restore: what the processor told since then is taken again, which corrects payments, refunds and
 * disputes that are known. A payment whose attempt is lost becomes a case. Throws where it cannot be asked.
 */
export const followEventsSince = async (
  tools: FollowTools,
  rail: CardRail,
  tenant: Tenant | null,
  since: Date,
): Promise<Followed> => {
  const listed = await rail.listEvents(since);
  if (listed.kind === 'UNKNOWN') throw new Error(listed.description);
  const unknown = new Set<string>();
  let elsewhere = 0;
  for (const event of listed.events) {
    if (event.kind === 'INVALID' || event.kind === 'UNUSED') continue;
    const isPaid = event.kind === 'PAYMENT' && listed.paid.has(event.reference);
    const isKnown = await followHere(tools, rail, tenant, event);
    if (isKnown === null) elsewhere += 1;
    else if (isPaid && !isKnown) unknown.add(event.reference);
  }
  await openCases(
    tools,
    [...unknown].map((reference) => lostPayment(tenant, reference)),
  );
  const { events, isComplete } = listed;
  return { events: events.length, isComplete, unknown: [...unknown], elsewhere };
};

/** Whether its attempt is known; null: its merchant is in another cell. */
const followHere = async (
  tools: FollowTools,
  rail: CardRail,
  tenant: Tenant | null,
  event: Parameters<typeof follow>[3],
): Promise<boolean | null> => {
  try {
    await follow(tools, rail, tenant, event);
    return event.kind === 'PAYMENT' && (await attemptOf(tools, tenant, event)) !== null;
  } catch (error) {
    if (isElsewhere(error)) return null;
    throw error;
  }
};

const lostPayment = (tenant: Tenant | null, reference: string) => ({
  ...(tenant ? { tenant } : {}),
  kind: 'PAYMENT_LOST_BY_RESTORE' as const,
  subject: reference,
  description:
    'The card processor has a payment that was lost here by a restore. Look there whether it was paid, ' +
    'ask the merchant for its order, and refund it there where nobody knows it.',
  evidence: { reference },
});
