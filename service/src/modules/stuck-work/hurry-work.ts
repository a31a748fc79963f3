import {
  failures,
  type hurryWork as operation,
  type ParamsOf,
  type ReplyOf,
  type WorkKind,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import { hurryByKind } from './store.ts';

/** Ends a pause and nothing else: what runs keeps its lease, and no state changes (DASHBOARD-22). */
export const hurryWork = async (
  { database }: Uses<'database'>,
  { merchantId, environment, kind, workId }: ParamsOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const hurry = hurryByKind[kind];
  const isNamed = kind === 'SUBMIT_TRANSFERS' || isUuid(workId);
  if (!hurry || !isNamed) throw nothingWaits();
  const found = await hurry(database, {
    ...{ merchantId, workId },
    environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
  });
  if (found.length === 0) throw nothingWaits();
  return { kind, workId };
};

export const canHurry = (kind: WorkKind): boolean => hurryByKind[kind] !== undefined;

const nothingWaits = (): Failure =>
  new Failure(failures.notFound, {
    message: 'No work of this kind and id waits for its next try.',
  });
