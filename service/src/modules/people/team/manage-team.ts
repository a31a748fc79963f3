import { failures, limits, type ReplyOf } from '@florin/contract';
import type {
  inviteMember,
  listTeam,
  Role,
  resendInvite,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { findMembership } from '../access/store/memberships.ts';
import type { LinkMailTools } from '../mails/queue-link-mail.ts';
import { createInvite, sendInviteAgain } from './create-invite.ts';
import { deleteInvite, listInvites } from './store/invites.ts';
import { deleteMember, listMembers, updateRole } from './store/members.ts';

/** The people of a merchant, and who may come (PEOPLE-9). */
export const manageTeam = ({ database, clock, ids, secrets }: LinkMailTools) => ({
  list: async ({ merchantId }: Tenant): Promise<ReplyOf<typeof listTeam>> => {
    const limit = limits.pageSizeMax;
    const [members, invites] = await Promise.all([
      database.system(listMembers, { merchantId, limit }),
      database.tenant(merchantId, listInvites, { merchantId, limit }),
    ]);
    return {
      members: members.map((row) => ({
        ...{ personId: row.person_id, name: row.name, email: row.email, role: row.role },
        ...{ twoFactorEnabled: row.two_factor_enabled, since: row.created_at.toISOString() },
      })),
      invites: invites.map((row) => ({
        ...{ inviteId: row.invite_id, email: row.email, role: row.role },
        expiresAt: row.expires_at.toISOString(),
      })),
    };
  },
  /** It gives no more than who invites has: production only from a member who is let into it. */
  invite: async (
    { merchantId }: Tenant,
    { personId, email, role }: { personId: string; email: string; role: Role },
  ): Promise<ReplyOf<typeof inviteMember>> => {
    const who = { merchantId, personId };
    const [inviter] = await database.tenant(merchantId, findMembership, who);
    const inProduction = inviter?.in_production ?? false;
    return createInvite(
      { database, clock, ids, secrets },
      { merchantId, email, role, inProduction, invitedBy: personId },
    );
  },
  sendAgain: (
    { merchantId }: Tenant,
    sent: { readonly inviteId: string; readonly invitedBy: string },
  ): Promise<ReplyOf<typeof resendInvite>> =>
    sendInviteAgain({ database, clock, ids, secrets }, { merchantId, ...sent }),
  withdraw: async ({ merchantId }: Tenant, inviteId: string): Promise<void> => {
    const [gone] = await database.tenant(merchantId, deleteInvite, { merchantId, inviteId });
    if (!gone) throw new Failure(failures.notFound, { message: 'No open invite has this id.' });
  },
  change: async ({ merchantId }: Tenant, personId: string, role: Role): Promise<void> => {
    const values = { merchantId, personId, role };
    const [changed] = await database.tenant(merchantId, updateRole, values);
    if (!changed) throw await refusal({ database }, merchantId, personId);
  },
  remove: async ({ merchantId }: Tenant, personId: string): Promise<void> => {
    const [removed] = await database.tenant(merchantId, deleteMember, { merchantId, personId });
    if (!removed) throw await refusal({ database }, merchantId, personId);
  },
});

const refusal = async (
  { database }: Uses<'database'>,
  merchantId: string,
  personId: string,
): Promise<Failure> => {
  const [member] = await database.tenant(merchantId, findMembership, { merchantId, personId });
  return member
    ? new Failure(failures.conflict, { message: 'A business needs an owner: this is the last.' })
    : new Failure(failures.notFound, { message: 'No member of the business has this id.' });
};
