import { limits } from '@florin/contract';
import {
  addPasskey,
  changePassword,
  confirmAuthenticator,
  listPasskeys,
  listSessions,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
  revokeOtherSessions,
  revokeSession,
  startAuthenticator,
  startPasskey,
} from '@florin/contract/dashboard/index.ts';
import { personRoute, type Route } from '#platform/http/route.ts';
import { qrDrawing } from '#platform/qr.ts';
import { requireFreshSignIn } from '../access/admit-member.ts';
import { manageSessions } from '../access/manage-sessions.ts';
import { refuseCommonPassword } from '../access/refuse-common-password.ts';
import { callIdentity, verifyAppCode } from './call-identity.ts';
import type { SignInTools } from './sign-in-routes.ts';

/** How a person signs in, and where they are signed in (PEOPLE-8). */
export const accountRoutes = (tools: SignInTools): readonly Route[] => [
  personRoute(changePassword, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    const { email, name } = person;
    await refuseCommonPassword(tools, 'newPassword', call.body.newPassword, {
      email,
      names: [name],
    });
    const body = { ...call.body, revokeOtherSessions: true };
    await callIdentity(tools, call, (api, sent) => api.changePassword({ body, ...sent }));
    return {};
  }),
  personRoute(listSessions, (_, person) => manageSessions(tools).list(person)),
  personRoute(revokeSession, async ({ params }, person) => {
    await manageSessions(tools).revoke(person, params.sessionId);
    return {};
  }),
  personRoute(revokeOtherSessions, async (_, person) => ({
    revoked: await manageSessions(tools).revokeOthers(person),
  })),
  ...passkeyRoutes(tools),
  ...authenticatorRoutes(tools),
];

type StoredPasskey = {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string;
  readonly backedUp: boolean;
};

const passkeyRoutes = (tools: SignInTools): readonly Route[] => [
  personRoute(listPasskeys, async (call) => {
    const stored = await callIdentity<readonly StoredPasskey[]>(tools, call, (api, sent) =>
      api.listPasskeys(sent),
    );
    const data = stored.slice(0, limits.pageSizeMax).map(({ id, name, createdAt, backedUp }) => ({
      ...{ passkeyId: id, name: name ?? null, createdAt, backedUp },
    }));
    return { data };
  }),
  personRoute(startPasskey, async (call) => ({
    options: await callIdentity<Record<string, unknown>>(tools, call, (api, sent) =>
      api.generatePasskeyRegistrationOptions({ query: {}, ...sent }),
    ),
  })),
  personRoute(addPasskey, async (call) => {
    const { name, response } = call.body;
    await callIdentity(tools, call, (api, sent) =>
      api.verifyPasskeyRegistration({ body: { name, response: response as never }, ...sent }),
    );
    return {};
  }),
  personRoute(removePasskey, async (call, person) => {
    requireFreshSignIn(tools, person);
    const body = { id: call.params.passkeyId };
    await callIdentity(tools, call, (api, sent) => api.deletePasskey({ body, ...sent }));
    return {};
  }),
];

type Prepared = { readonly totpURI: string; readonly backupCodes: string[] };

const authenticatorRoutes = (tools: SignInTools): readonly Route[] => [
  personRoute(startAuthenticator, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    const { totpURI, backupCodes } = await callIdentity<Prepared>(tools, call, (api, sent) =>
      api.enableTwoFactor({ body: call.body, ...sent }),
    );
    return { uri: totpURI, qr: qrDrawing(totpURI), recoveryCodes: backupCodes };
  }),
  personRoute(confirmAuthenticator, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    const { code } = call.body;
    await verifyAppCode(tools, call, code);
    return {};
  }),
  personRoute(removeAuthenticator, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    await callIdentity(tools, call, (api, sent) =>
      api.disableTwoFactor({ body: call.body, ...sent }),
    );
    return {};
  }),
  personRoute(replaceRecoveryCodes, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    const { backupCodes } = await callIdentity<Prepared>(tools, call, (api, sent) =>
      api.generateBackupCodes({ body: call.body, ...sent }),
    );
    return { recoveryCodes: backupCodes };
  }),
];
