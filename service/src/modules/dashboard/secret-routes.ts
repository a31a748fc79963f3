import {
  changeSecret,
  createSecret,
  listSecrets,
  listSigningSecrets as listSigning,
  promoteSigning,
  revokeSecret,
  rotateSigning,
  setEndpointStatus,
  stageSigning,
} from '@florin/contract/dashboard/index.ts';
import {
  addAccessSecret,
  changeAccessSecret,
  listAccessSecrets,
  revokeAccessSecret,
} from '#modules/merchants/index.ts';
import {
  listSigningSecrets,
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';

export type SecretTools = Tools & {
  /** This process refuses a revoked secret, and sees a changed one, at once. */
  readonly forgetSecret: (secretId: string) => void;
};

/** Secrets of the API and of webhooks, as operators and commands set them too (DASHBOARD-44). */
export const secretRoutes = (tools: SecretTools): readonly Route[] => [
  ...accessSecretRoutes(tools, { forget: tools.forgetSecret }),
  ...signingSecretRoutes(tools),
];

const accessSecretRoutes = (
  tools: Tools,
  authentication: { readonly forget: SecretTools['forgetSecret'] },
): readonly Route[] => [
  route(listSecrets, ({ query }, { tenant }) => listAccessSecrets(tools, tenant, query)),
  route(createSecret, ({ body }, { tenant }) =>
    addAccessSecret(tools, tenant, body, { isOwn: true }),
  ),
  route(changeSecret, async ({ params: { secretId }, body }, { tenant }) => {
    await changeAccessSecret(tools, authentication, tenant, secretId, body);
    return { secretId };
  }),
  route(revokeSecret, async ({ params: { secretId } }, { tenant }) => {
    await revokeAccessSecret(tools, authentication, tenant, secretId);
    return { secretId };
  }),
];

const signingSecretRoutes = (tools: Tools): readonly Route[] => [
  route(listSigning, async (_, { tenant }) => ({
    data: await listSigningSecrets(tools, tenant),
  })),
  route(rotateSigning, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(stageSigning, (_, { tenant }) => stageSigningSecret(tools, tenant)),
  route(promoteSigning, ({ body, decideOnce }, { tenant }) =>
    promoteSigningSecret(tools, tenant, body.overlapHours, decideOnce),
  ),
  route(setEndpointStatus, ({ params, body }, { tenant }) =>
    setWebhookStatus(tools, tenant, params.endpointId, body.status),
  ),
];
