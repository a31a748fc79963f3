import { createHash } from 'node:crypto';
import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { mintAccessSecret } from '#modules/merchants/index.ts';
import { shown } from '#platform/database/rows.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { insertOperatorSecret, listOperatorSecretRows, revokeOperatorSecretRow } from './store.ts';

type MintedOperatorSecret = { readonly operatorSecretId: string; readonly secret: string };

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

export const listOperatorSecrets = async ({ database }: Uses<'database'>) =>
  (await database.system(listOperatorSecretRows, {})).map(shown);

/** At once, in every process. */
export const revokeOperatorSecret = async (
  { database }: Uses<'database'>,
  operatorSecretId: string,
): Promise<string> => {
  const [row] = isUuid(operatorSecretId)
    ? await database.system(revokeOperatorSecretRow, { operatorSecretId })
    : [];
  if (row) return row.name;
  throw new Failure(failures.notFound, { message: 'No operator secret has this id.' });
};
