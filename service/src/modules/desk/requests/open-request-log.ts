import { limits } from '@florin/contract';
import type { LoggedRequest } from '#platform/http/log-requests.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { addressPrefix } from './address-prefix.ts';
import { insertRequests, type RequestColumns } from './store.ts';

export type RequestLog = {
  /** Never waited for, and never fails. */
  readonly record: (request: LoggedRequest) => void;
  /** Writes what waits. */
  readonly settle: () => Promise<void>;
};

const writeAfterMs = 1_000;
const maxBatch = 1_000;

/** DESK-6: requests are written together, beside them; while the database is slow the oldest are dropped. */
export const openRequestLog = ({ database, log }: Uses<'database' | 'log'>): RequestLog => {
  let waiting: LoggedRequest[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      try {
        await database.system(insertRequests, columnsOf(batch));
      } catch (error) {
        metrics.add('florin_request_log_lost_total', batch.length);
        log.warn({ error: (error as Error).message }, 'requests were not logged');
      }
    }
  };
  const start = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };
  return {
    record: (request) => {
      if (waiting.length >= limits.requestLogWaitingMax) {
        waiting.shift();
        metrics.add('florin_request_log_lost_total');
      }
      waiting.push(request);
      if (waiting.length >= maxBatch) void start();
      else timer ??= setTimeout(start, writeAfterMs).unref();
    },
    settle: async () => {
      while (waiting.length > 0 || writing) await start();
    },
  };
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
