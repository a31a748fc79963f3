import { getMe } from '@florin/contract/dashboard/index.ts';
import { personRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type SignUpTools, showMe } from './access/add-person.ts';
import { accountRoutes } from './identity/account-routes.ts';
import { mailedLinkRoutes } from './identity/mailed-link-routes.ts';
import { openIdentity } from './identity/open-identity.ts';
import { limitAttempts, sessionRoutes, signInRoutes } from './identity/sign-in-routes.ts';
import { listTeamRoutes } from './team/team-routes.ts';

export type PeopleTools = SignUpTools &
  Uses<'clock' | 'config' | 'log'> & {
    /** Without a mail server the front page shows mails. Left out: they wait unread. */
    readonly catchesMail?: boolean;
  };

export const personRoutes = (given: PeopleTools): readonly Route[] => {
  const tools = { ...given, identity: openIdentity(given), limitAttempts: limitAttempts(given) };
  return [
    personRoute(getMe, (_, person) => showMe(tools, person)),
    ...signInRoutes(tools),
    ...sessionRoutes(tools),
    ...accountRoutes(tools),
    ...mailedLinkRoutes(tools),
    ...listTeamRoutes(tools),
  ];
};
