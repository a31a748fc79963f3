import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { OwnPoll } from '#platform/work-ahead.ts';

type Values = {
  readonly merchantIds: readonly string[];
  readonly environments: readonly string[];
  readonly attemptIds: readonly string[];
  readonly pollCounts: readonly number[];
};

const release = statement<Values, never>(
  'payment_release_polls',
  sql('merchantIds', 'environments', 'attemptIds', 'pollCounts')`
   update attempt_poll p set leased_until = null
   from unnest(:merchantIds::uuid[], :environments::text[], :attemptIds::uuid[], :pollCounts::int[])
     as k (merchant_id, environment, attempt_id, poll_count)
   where p.merchant_id = k.merchant_id and p.environment = k.environment
     and p.attempt_id = k.attempt_id and p.poll_count = k.poll_count`,
  { guardedBy: 'poll_count as leased: a poll since then wins' },
);

export const releasePolls = async (
  database: Database,
  polls: readonly OwnPoll[],
): Promise<void> => {
  if (polls.length === 0) return;
  await database.system(release, {
    merchantIds: polls.map(({ tenant }) => tenant.merchantId),
    environments: polls.map(({ tenant }) => tenant.environment),
    attemptIds: polls.map(({ attemptId }) => attemptId),
    pollCounts: polls.map(({ pollCount }) => pollCount),
  });
};
