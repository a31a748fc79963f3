import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type { listRequests as operation } from '@florin/contract/dashboard/index.ts';
import { operations } from '@florin/contract/operations.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addressPrefix, type LoggedRequest } from '#platform/http/log-requests.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openWriteBehind } from '#platform/write-behind.ts';
import {
  insertRequests,
  listLoggedRequests,
  type RequestColumns,
  type RequestRow,
} from './store/request-log.ts';

type RequestLog = {
  /** Never waited for, and never fails. */
  readonly record: (request: LoggedRequest) => void;
  /** Writes what waits. */
  readonly drain: () => Promise<void>;
};

/** DASHBOARD-46: written together, beside the requests; while the database is slow the oldest are dropped. */
export const openRequestLog = ({ database, log }: Uses<'database' | 'log'>): RequestLog => {
  const behind = openWriteBehind<LoggedRequest>({
    write: (batch) => database.system(insertRequests, columnsOf(batch)),
    maxWaiting: limits.requestLogWaitingMax,
    onLost: (requests, error) => {
      metrics.add('florin_request_log_lost_total', requests);
      if (error) log.warn({ error: error.message }, 'requests were not logged');
    },
  });
  return { record: behind.add, drain: behind.drain };
};

const columnsOf = (batch: readonly LoggedRequest[]): RequestColumns => ({
  merchantIds: literalOf(batch, ({ caller }) => caller.tenant.merchantId),
  environments: literalOf(batch, ({ caller }) => caller.tenant.environment),
  requestIds: literalOf(batch, ({ requestId }) => requestId),
  requestedAts: literalOf(batch, ({ requestedAt }) => requestedAt.toISOString()),
  methods: literalOf(batch, ({ method }) => method),
  operations: literalOf(batch, ({ operation }) => operation),
  statuses: literalOf(batch, ({ status }) => status),
  failures: literalOf(batch, ({ failure }) => failure ?? 'NULL'),
  tookMs: literalOf(batch, ({ tookMs }) => tookMs),
  addressPrefixes: literalOf(batch, ({ address }) => addressPrefix(address)),
  secretIds: literalOf(batch, ({ caller }) => caller.secretId),
});

// Words, ids and numbers of ours: none needs to be quoted.
const literalOf = (
  batch: readonly LoggedRequest[],
  entryOf: (request: LoggedRequest) => string | number,
): string => `{${batch.map(entryOf).join(',')}}`;

const statusesOf = { OK: [100, 399], REFUSED: [400, 499], BROKEN: [500, 599] } as const;
const anyStatus = [0, 999] as const;

export const listRequests = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const [fromStatus, toStatus] = query.result ? statusesOf[query.result] : anyStatus;
  const rows = await database.tenant(tenant.merchantId, listLoggedRequests, {
    ...tenant,
    before: query.before ?? null,
    fromStatus,
    toStatus,
    operation: query.operation ?? null,
    requestId: query.requestId ?? null,
    secretId: query.secretId ?? null,
    read: isFiltered(query) ? limits.requestLogReadMax : query.limit + 1,
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const hasMore = rows.length > query.limit || (isFiltered(query) && rows[0]?.is_whole === false);
  const last = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shown),
    nextBefore: hasMore && last ? String(last.log_id) : null,
  };
};

const isFiltered = (query: QueryOf<typeof operation>): boolean =>
  [query.result, query.operation, query.requestId, query.secretId].some((of) => of !== undefined);

const paths = new Map(operations.map(({ id, path }) => [id, path]));

const shown = (row: RequestRow) => ({
  requestId: row.request_id,
  at: row.requested_at.toISOString(),
  method: row.method,
  operation: row.operation,
  path: paths.get(row.operation) ?? '',
  status: row.status,
  failure: row.failure,
  ms: Math.round(row.took_ms * 10) / 10,
  addressPrefix: row.address_prefix,
  secretId: row.secret_id,
  secretName: row.secret_name,
});
