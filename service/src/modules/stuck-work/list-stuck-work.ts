import {
  limits,
  type listStuckWork as operation,
  type QueryOf,
  type ReplyOf,
  type WorkKind,
} from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { describeWork } from './describe-work.ts';
import { canHurry } from './hurry-work.ts';
import { listStuckRows, type StuckRow } from './store/list-stuck-work.ts';

type Reply = ReplyOf<typeof operation>;

/** What is stuck longest is first; of each kind as many as are read. */
export const listStuckWork = async (
  { database }: Uses<'database'>,
  { kind, page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const rows = await database.system(listStuckRows, {
    ...{ kind: kind ?? null, limit: limits.stuckReadMax },
    ...{ size, skipped: page * size },
  });
  const counts = Object.entries(rows[0]?.counts ?? {}) as (readonly [WorkKind, number])[];
  const kinds = counts.map(([each, count]) => ({
    ...{ kind: each, title: describeWork(each).title, count },
  }));
  const totalCount = kinds
    .filter((each) => kind === undefined || each.kind === kind)
    .reduce((sum, { count }) => sum + count, 0);
  const data = rows.flatMap((row) => (row.kind === null ? [] : [shown(row)]));
  return { page, size, data, kinds, totalCount };
};

const shown = (row: StuckRow): Reply['data'][number] => ({
  ...{ kind: row.kind, ...describeWork(row.kind), workId: row.work_id },
  ...{ merchantId: row.merchant_id, businessName: row.business_name },
  environment: row.environment,
  paymentRequestId: row.payment_request_id,
  since: row.since.toISOString(),
  attempts: row.attempts,
  lastFailure: row.last_error,
  nextAt: row.is_paused ? (row.paused_until?.toISOString() ?? null) : null,
  isRunning: row.is_running,
  canHurry: row.is_paused && row.merchant_id !== null && canHurry(row.kind),
});
