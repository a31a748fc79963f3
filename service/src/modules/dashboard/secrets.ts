import {
  changeSecret,
  createSecret,
  listSecrets,
  revokeSecret,
} from '@florin/contract/dashboard/index.ts';
import {
  addAccessSecret,
  changeAccessSecret,
  listAccessSecrets,
  revokeAccessSecret,
} from '#modules/merchants/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';

export type SecretTools = Tools & {
  /** This process refuses a revoked secret, and sees a changed one, at once. */
  readonly forgetSecret: (secretId: string) => void;
};

/** Access secrets, as operators and commands set them too (DASHBOARD-44). */
export const secretRoutes = (tools: SecretTools): readonly Route[] => {
  const authentication = { forget: tools.forgetSecret };
  return [
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
};
