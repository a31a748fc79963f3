import type { BodyOf, createMerchantSecret } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { createAccessSecret, type MintedSecret } from './create-access-secret.ts';

/** As a member or the operator asks for it. A secret that has expired already would be a mistake. */
export const addAccessSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'clock'>,
  tenant: Tenant,
  { scope, expiresAt, ...options }: BodyOf<typeof createMerchantSecret>,
  by: { readonly isOwn: boolean } = { isOwn: false },
): Promise<MintedSecret> => {
  const ends = expiresAt ? new Date(expiresAt) : null;
  if (ends && !(ends > tools.clock.now()))
    throw badField('expiresAt', 'expiresAt must be in the future', 'expiresAt is in the past.');
  return createAccessSecret(tools, tenant, {
    ...options,
    ...by,
    isReadOnly: scope === 'READ',
    expiresAt: ends,
  });
};
