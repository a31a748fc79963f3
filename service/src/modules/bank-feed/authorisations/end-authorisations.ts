import { type revokeBankAuthorisation as described, limits, type ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type Authorisation, isLinkOver } from './authorisation.ts';
import { type Change, type Changed, changeAuthorisation } from './change-authorisation.ts';
import { requireAuthorisation } from './get-authorisation.ts';
import { listLiveAuthorisations } from './store/authorisations.ts';

/** What time alone does to an authorisation: its link expires, a confirmation is missed, it lapses. */
export const endDue = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
  isLeaseOver: boolean,
): Promise<boolean> => {
  const decide = (current: Authorisation) => dueChange(current, isLeaseOver);
  return (await changeAuthorisation(tools, tenant, authorisationId, decide)).isChanged;
};

const dueChange = ({ status, dueAt, now }: Authorisation, isLeaseOver: boolean): Change | null => {
  // Killed within the exchange: the code is used, the tokens are lost.
  if (status === 'EXCHANGING')
    return isLeaseOver ? { trigger: 'notLinked', set: { endedReason: 'EXCHANGE_LOST' } } : null;
  if (dueAt === null || now < dueAt) return null;
  switch (status) {
    case 'OPEN':
    case 'AT_BANK':
      return { trigger: 'linkExpired' };
    case 'LINKED':
      return { trigger: 'reconfirmationMissed', set: { dueAt: lapseAt(now) } };
    case 'RECONFIRMATION_MISSED':
    case 'LOGIN_NEEDED':
      return { trigger: 'lapsed' };
    default:
      return null;
  }
};

/** How long the data of an unconfirmed authorisation is kept, in case it is confirmed after all. */
export const lapseAt = (now: Date): Date => new Date(now.getTime() + limits.bankLapsedMs);

/** One, or without an id every one of the merchant (FEED-6). */
export const revokeAuthorisations = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string | undefined,
): Promise<ReplyOf<typeof described>> => {
  if (authorisationId !== undefined) {
    await requireAuthorisation(tools, tenant, authorisationId);
    const { isChanged } = await revokeAuthorisation(tools, tenant, authorisationId, 'MERCHANT');
    return { revokedCount: isChanged ? 1 : 0 };
  }
  let revokedCount = 0;
  for (;;) {
    const values = { ...tenant, limit: batchSize };
    const live = await tools.database.tenant(tenant.merchantId, listLiveAuthorisations, values);
    for (const row of live) {
      const id = row.authorisation_id;
      if ((await revokeAuthorisation(tools, tenant, id, 'MERCHANT')).isChanged) revokedCount += 1;
    }
    if (live.length < batchSize) return { revokedCount };
  }
};

const batchSize = 100;

/** The merchant or the customer ends it. Reading stops at once; a job ends the consent at the bank. */
export const revokeAuthorisation = (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
  by: 'MERCHANT' | 'CUSTOMER',
): Promise<Changed> =>
  changeAuthorisation(tools, tenant, authorisationId, () => ({
    trigger: 'revoked',
    set: { endedReason: `BY_${by}` },
  }));

/** The customer goes back before any account is linked. */
export const cancelLink = (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Changed> =>
  changeAuthorisation(tools, tenant, authorisationId, (current) =>
    isLinkOver(current) ? { trigger: 'linkExpired' } : { trigger: 'cancelledByCustomer' },
  );

/** A link whose time is over ends when it is next looked at, or by a job. */
export const expireIfOver = (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Changed> =>
  changeAuthorisation(tools, tenant, authorisationId, (current) =>
    isLinkOver(current) ? { trigger: 'linkExpired' } : null,
  );

/** The customer agrees for another 90 days; after a missed one reading resumes. The bank need not know. */
export const reconfirm = (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Changed> =>
  changeAuthorisation(tools, tenant, authorisationId, ({ now }) => {
    const reconfirmBy = new Date(now.getTime() + limits.bankReconfirmMs);
    return { trigger: 'reconfirmed', set: { reconfirmBy, dueAt: reconfirmBy } };
  });
