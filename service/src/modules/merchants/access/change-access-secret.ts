import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { requireSecretOptions } from './create-access-secret.ts';
import type { Authentication } from './open-authentication.ts';
import { updateSecret } from './store/secrets.ts';

type Changes = {
  readonly name?: string;
  /** Null takes it away. */
  readonly redirectUrl?: string | null;
  readonly webOrigins?: readonly string[];
};

/** What is left out stays. Who may call and what it signs never change: for that, create another. */
export const changeAccessSecret = async (
  tools: Uses<'database'>,
  authentication: Pick<Authentication, 'forget'>,
  tenant: Tenant,
  secretId: string,
  { name, redirectUrl, webOrigins }: Changes,
): Promise<void> => {
  requireSecretOptions(
    tenant.environment,
    name ?? 'Default',
    redirectUrl ?? null,
    webOrigins ?? [],
  );
  const changed = await tools.database.tenant(tenant.merchantId, updateSecret, {
    ...tenant,
    secretId,
    name: name ?? null,
    redirectUrl: redirectUrl === null ? '' : (redirectUrl ?? null),
    webOrigins: webOrigins ?? null,
  });
  authentication.forget(secretId);
  if (changed.length === 0) throw new Failure(failures.notFound);
};
