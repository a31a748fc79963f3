import { limits } from '@florin/contract';
import { addressPrefix } from '#platform/http/address-prefix.ts';
import type { LoggedRequest } from '#platform/http/log-requests.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openWriteBehind } from '#platform/write-behind.ts';
import { insertRequests, type RequestColumns } from './store.ts';

export type RequestLog = {
  /** Never waited for, and never fails. */
  readonly record: (request: LoggedRequest) => void;
  /** Writes what waits. */
  readonly settle: () => Promise<void>;
};

/** DESK-6: requests are written together, beside them; while the database is slow the oldest are dropped. */
export const openRequestLog = ({ database, log }: Uses<'database' | 'log'>): RequestLog => {
  const behind = openWriteBehind<LoggedRequest>({
    write: (batch) => database.system(insertRequests, columnsOf(batch)),
    maxWaiting: limits.requestLogWaitingMax,
    onLost: (requests, error) => {
      metrics.add('florin_request_log_lost_total', requests);
      if (error) log.warn({ error: error.message }, 'requests were not logged');
    },
  });
  return { record: behind.add, settle: behind.settle };
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
