import { failures } from '@florin/contract';
import {
  acceptInviteAsNew,
  acceptInvite as acceptOperation,
  changeRole,
  inviteMember,
  listTeam,
  readInvite,
  removeMember,
  resendInvite,
  withdrawInvite,
} from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { openRoute, personRoute, type Route, route } from '#platform/http/route.ts';
import { addPerson } from '../access/add-person.ts';
import { requireProvenAddress } from '../access/admit-member.ts';
import type { LimitAttempts } from '../identity/limit-attempts.ts';
import { type LinkMailTools, queueLinkMail } from '../mails/queue-link-mail.ts';
import { acceptInvite, showInvite } from './accept-invite.ts';
import { manageTeam } from './manage-team.ts';

type TeamTools = LinkMailTools & { readonly limitAttempts: LimitAttempts };

export const listTeamRoutes = (tools: TeamTools): readonly Route[] => {
  const team = manageTeam(tools);
  return [
    route(listTeam, (_, { tenant }) => team.list(tenant)),
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
