import { createHash } from 'node:crypto';
import { limits } from '@florin/contract';
import { mintAccessSecret } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { insertOperatorSecret } from './store/operator-secrets.ts';

export type MintedOperatorSecret = { readonly operatorSecretId: string; readonly secret: string };

/** For a person or a program that operates the installation. The secret is shown once. */
export const createOperatorSecret = async (
  tools: Uses<'database' | 'ids'>,
  name: string,
  expiresAt: Date | null = null,
): Promise<MintedOperatorSecret> => {
  const { accessSecretNameLength: maxLength } = limits;
  if (name.trim() === '' || name.length > maxLength)
    throw badField('name', 'name is not valid', `name must have 1 to ${maxLength} characters.`);
  const operatorSecretId = tools.ids.uuid();
  const secret = mintAccessSecret('OPERATOR', tools.ids.bytes);
  await tools.database.system(insertOperatorSecret, {
    operatorSecretId,
    name,
    secretSha256: createHash('sha256').update(secret).digest(),
    lastFour: secret.slice(-4),
    expiresAt,
  });
  return { operatorSecretId, secret };
};
