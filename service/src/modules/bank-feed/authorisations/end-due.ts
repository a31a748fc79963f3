import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authorisation } from './authorisation.ts';
import { type Change, changeAuthorisation } from './change-authorisation.ts';

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
