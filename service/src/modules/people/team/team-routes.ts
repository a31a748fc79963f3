import { failures, type QueryOf, type ReplyOf } from '@florin/contract';
import {
  acceptInviteAsNew,
  acceptInvite as acceptOperation,
  changeRole,
  inviteMember,
  listTeam,
  type Role,
  readInvite,
  removeMember,
  resendInvite,
  withdrawInvite,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { shown } from '#platform/database/rows.ts';
import { openRoute, personRoute, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { addPerson } from '../access/add-person.ts';
import { requireProvenAddress } from '../access/admit-member.ts';
import { refuseCommonPassword } from '../access/refuse-common-password.ts';
import { findMembership } from '../access/store/people.ts';
import type { LimitAttempts } from '../identity/sign-in-routes.ts';
import { type LinkMailTools, queueLinkMail } from '../mails/queue-link-mail.ts';
import { acceptInvite, createInvite, sendInviteAgain, showInvite } from './invites.ts';
import {
  countMembers,
  deleteInvite,
  deleteMember,
  listInvites,
  listMembers,
  updateMembersOfProduction,
  updateRole,
} from './store.ts';

/** The people of a merchant, and who may come (PEOPLE-9). */
const manageTeam = ({ database, clock, ids, secrets }: LinkMailTools) => ({
  list: async (
    { merchantId }: Tenant,
    { page, size }: QueryOf<typeof listTeam>,
  ): Promise<ReplyOf<typeof listTeam>> => {
    const values = { merchantId, limit: size, skipped: page * size };
    const [members, invites] = await Promise.all([
      database.system(listMembers, values),
      database.tenant(merchantId, listInvites, values),
    ]);
    return {
      ...{ page, size, memberCount: Number(members[0]?.total ?? 0) },
      inviteCount: Number(invites[0]?.total ?? 0),
      members: members.map(shown),
      invites: invites.map(shown),
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

/** The operator lets the members of a business that signed itself up into production. */
export const admitToProduction = async (
  { database }: Uses<'database'>,
  merchantId: string,
): Promise<{ readonly admitted: number; readonly members: number }> => {
  const admitted = await database.tenant(merchantId, updateMembersOfProduction, { merchantId });
  const [counted] = await database.tenant(merchantId, countMembers, { merchantId });
  return { admitted: admitted.length, members: counted?.members ?? 0 };
};

type TeamTools = LinkMailTools & Uses<'config' | 'log'> & { readonly limitAttempts: LimitAttempts };

export const listTeamRoutes = (tools: TeamTools): readonly Route[] => {
  const team = manageTeam(tools);
  return [
    route(listTeam, ({ query }, { tenant }) => team.list(tenant, query)),
    route(inviteMember, async ({ body, person }, { tenant, secretId }) => {
      requireProvenAddress({ emailVerified: person?.emailVerified ?? false });
      return team.invite(tenant, { ...body, personId: secretId });
    }),
    route(resendInvite, async ({ params, person }, { tenant, secretId }) => {
      requireProvenAddress({ emailVerified: person?.emailVerified ?? false });
      return team.sendAgain(tenant, { inviteId: params.inviteId, invitedBy: secretId });
    }),
    route(withdrawInvite, async ({ params }, { tenant }) => {
      await team.withdraw(tenant, params.inviteId);
      return {};
    }),
    route(changeRole, async ({ params, body }, { tenant }) => {
      await team.change(tenant, params.personId, body.role);
      return {};
    }),
    route(removeMember, async ({ params }, { tenant }) => {
      await team.remove(tenant, params.personId);
      return {};
    }),
    openRoute(readInvite, ({ body, address }) => {
      tools.limitAttempts({ address });
      return showInvite(tools, body.token);
    }),
    openRoute(acceptInviteAsNew, async ({ body, address, noteActor }) => {
      tools.limitAttempts({ address });
      const { token, name, password } = body;
      const { email, isKnown } = await showInvite(tools, token);
      if (isKnown) throw hasSignedUp();
      await refuseCommonPassword(tools, 'password', password, { email, names: [name] });
      const personId = tools.ids.uuid();
      await noteActor(personId);
      const person = { personId, name, email, password, emailVerified: false };
      if (!(await addPerson(tools, person))) throw hasSignedUp();
      const { isProven, ...joined } = await acceptInvite(tools, personId, token);
      if (!isProven) await queueLinkMail(tools, 'VERIFY_EMAIL', email);
      return joined;
    }),
    personRoute(acceptOperation, async ({ body }, { personId }) => {
      const { merchantId } = await acceptInvite(tools, personId, body.token);
      return { merchantId };
    }),
  ];
};

const hasSignedUp = (): Failure =>
  new Failure(failures.conflict, {
    message: 'This address has signed up. Sign in, then accept the invite.',
  });
