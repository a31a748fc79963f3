import {
  type BodyOf,
  failures,
  type hurryWork as operation,
  type ParamsOf,
  type ReplyOf,
  type hurrySharedWork as sharedOperation,
} from '@florin/contract';
import { tenantIn } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { lookName } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { hurryByKind, hurryShared, type StuckRow } from './store.ts';

/** Ends a pause and nothing else: what runs keeps its lease, and no state changes (DASHBOARD-22). */
export const hurryWork = async (
  { database }: Uses<'database'>,
  { kind, workId, ...path }: ParamsOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const hurry = hurryByKind[kind];
  const isNamed = kind === 'SUBMIT_TRANSFERS' || isUuid(workId);
  if (!hurry || !isNamed) throw nothingWaits();
  const found = await hurry(database, { ...tenantIn(path), workId });
  if (found.length === 0) throw nothingWaits();
  return { kind, workId };
};

/** The same of what belongs to no merchant. */
export const hurrySharedWork = async (
  { database }: Uses<'database'>,
  { kind, workId }: BodyOf<typeof sharedOperation>,
): Promise<ReplyOf<typeof sharedOperation>> => {
  if (kind === 'MATCH_CREDIT' && !isUuid(workId)) throw nothingWaits();
  const found = await database.system(hurryShared[kind], { workId });
  if (found.length === 0) throw nothingWaits();
  return { kind, workId };
};

type Work = Pick<StuckRow, 'kind' | 'work_id' | 'merchant_id' | 'is_paused'>;

/** A look for work that fails is tried every second. */
export const canHurry = ({ kind, work_id, merchant_id, is_paused }: Work): boolean => {
  if (kind === 'RUN_JOB') return work_id !== lookName;
  if (Object.hasOwn(hurryShared, kind)) return is_paused;
  return is_paused && merchant_id !== null && hurryByKind[kind] !== undefined;
};

const nothingWaits = (): Failure =>
  new Failure(failures.notFound, {
    message: 'No work of this kind and id waits for its next try.',
  });
