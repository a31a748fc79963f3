import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { newSigningSecret, writeInTurn } from './new-signing-secret.ts';
import { stageSecret } from './store/signing-secrets.ts';

/** For receivers that accept one secret only: it can be tested before it signs alone. */
export const stageSigningSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
) => {
  const { shown, values } = newSigningSecret(tools, tenant);
  const [row] = await writeInTurn(() =>
    tools.database.tenant(tenant.merchantId, stageSecret, values),
  );
  if (!row) throw noSecret();
  return { signingSecret: shown, createdAt: row.created_at.toISOString() };
};

const noSecret = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'There is no signing secret yet: generate the first one.',
  });
