import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import { revokeOperatorSecretRow } from './store/operator-secrets.ts';

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
