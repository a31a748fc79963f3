import {
  failures,
  limits,
  type listMerchantSecrets,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authentication } from './open-authentication.ts';
import { requireSecretOptions } from './secrets.ts';
import { listSecrets, revokeSecret, updateSecret } from './store.ts';

/** What may be shown of the secrets of one environment, the newest first. */
export const listAccessSecrets = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof listMerchantSecrets> = { page: 0, size: limits.pageSizeMax },
): Promise<ReplyOf<typeof listMerchantSecrets>> => {
  const values = { ...tenant, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listSecrets, values);
  return numberedPage(rows, { page, size }, shown);
};

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

/** At once in this process, within the few seconds of its memory in every other. */
export const revokeAccessSecret = async (
  tools: Uses<'database'>,
  authentication: Pick<Authentication, 'forget'>,
  tenant: Tenant,
  secretId: string,
): Promise<void> => {
  const values = { ...tenant, secretId };
  const revoked = await tools.database.tenant(tenant.merchantId, revokeSecret, values);
  authentication.forget(secretId);
  if (revoked.length === 0) throw new Failure(failures.notFound);
};
