import { limits, type ReplyOf } from '@florin/contract';
import { listRequests, type requestResults } from '@florin/contract/dashboard/index.ts';
import { operations } from '@florin/contract/operations.ts';
import type { Tenant } from '#kernel/environment.ts';
import { type Continued, continuedPage } from '#platform/database/pages.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { addressPrefix, type LoggedRequest } from '#platform/http/log-requests.ts';
import { type Route, route } from '#platform/http/route.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openWriteBehind } from '#platform/write-behind.ts';

/** Array literals, an entry for each request. */
type RequestColumns = {
  readonly merchantIds: string;
  readonly environments: string;
  readonly requestIds: string;
  readonly requestedAts: string;
  readonly methods: string;
  readonly operations: string;
  readonly statuses: string;
  readonly failures: string;
  readonly tookMs: string;
  readonly addressPrefixes: string;
  readonly secretIds: string;
};

const insertRequests = statement<RequestColumns, never>(
  'request_log_insert',
  sql(
    'merchantIds',
    'environments',
    'requestIds',
    'requestedAts',
    'methods',
    'operations',
    'statuses',
    'failures',
    'tookMs',
    'addressPrefixes',
    'secretIds',
  )`
   insert into request_log (merchant_id, environment, request_id, requested_at, method, operation,
     status, failure, took_ms, address_prefix, secret_id)
   select * from unnest(:merchantIds::uuid[], :environments::text[], :requestIds::text[],
     :requestedAts::timestamptz[], :methods::text[], :operations::text[], :statuses::smallint[],
     :failures::text[], :tookMs::real[], :addressPrefixes::text[], :secretIds::uuid[])`,
  { guardedBy: 'nothing: each request is a row of its own' },
);

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

type Listed = ReplyOf<typeof listRequests>['data'][number];
type RequestRow = Continued &
  RowOf<Omit<Listed, 'path' | 'ms'>, 'at'> & { readonly took_ms: number };

/** Newest first by key; a filter looks at `read` requests and no more. */
const listLoggedRequests = statement<
  Tenant & {
    readonly before: string | null;
    readonly fromStatus: number;
    readonly toStatus: number;
    readonly operation: string | null;
    readonly requestId: string | null;
    readonly secretId: string | null;
    readonly read: number;
    readonly limit: number;
  },
  RequestRow
>(
  'request_log_list',
  sql(
    'merchantId',
    'environment',
    'before',
    'fromStatus',
    'toStatus',
    'operation',
    'requestId',
    'secretId',
    'read',
    'limit',
  )`
   with newest as materialized (
     select r.*, r.status between :fromStatus::int and :toStatus::int
         and (:operation::text is null or r.operation = :operation::text)
         and (:requestId::text is null or r.request_id = :requestId::text)
         and (:secretId::uuid is null or r.secret_id = :secretId::uuid) as matches
     from request_log r
     where r.merchant_id = :merchantId and r.environment = :environment
       and (:before::bigint is null or r.log_id < :before::bigint)
     order by r.log_id desc limit :read::int)
   select n.log_id::text as goes_on, n.request_id, n.requested_at as at, n.method, n.operation,
     n.status, n.failure, n.took_ms, n.address_prefix, n.secret_id, s.name as secret_name, n.matches,
     (select count(*) from newest) < :read::int as is_whole
   from newest n
   left join access_secret s on s.merchant_id = :merchantId and s.environment = :environment
     and s.secret_id = n.secret_id
   where n.matches or n.log_id = (select min(log_id) from newest)
   order by n.log_id desc limit :limit::int`,
);

const statusesOf = {
  OK: [100, 399],
  REFUSED: [400, 499],
  BROKEN: [500, 599],
} as const satisfies Record<(typeof requestResults)[number], readonly [number, number]>;
const anyStatus = [0, 999] as const;

export const requestRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(listRequests, async ({ query }, { tenant }) => {
    const { operation = null, requestId = null, secretId = null, before = null, limit } = query;
    const isFiltered = [query.result, operation, requestId, secretId].some(Boolean);
    const [fromStatus, toStatus] = query.result ? statusesOf[query.result] : anyStatus;
    const rows = await database.tenant(tenant.merchantId, listLoggedRequests, {
      ...{ ...tenant, operation, requestId, secretId, before, fromStatus, toStatus },
      read: isFiltered ? limits.requestLogReadMax : limit + 1,
      limit: limit + 1,
    });
    return continuedPage(rows, limit, requestOf);
  }),
];

const paths = new Map(operations.map(({ id, path }) => [id, path]));

const requestOf = (row: RequestRow): Listed => ({
  ...shown(row),
  path: paths.get(row.operation) ?? '',
  ms: Math.round(row.took_ms * 10) / 10,
});
