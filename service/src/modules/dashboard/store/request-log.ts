import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Array literals, an entry for each request. */
export type RequestColumns = {
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

export const insertRequests = statement<RequestColumns, never>(
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

export type RequestRow = {
  readonly log_id: bigint;
  readonly request_id: string;
  readonly requested_at: Date;
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  readonly failure: string | null;
  readonly took_ms: number;
  readonly address_prefix: string;
  readonly secret_id: string;
  readonly secret_name: string | null;
  /** False: looked at last, so that the next page continues behind it. */
  readonly matches: boolean;
  readonly is_whole: boolean;
};

/** Newest first by key; a filter looks at `read` requests and no more. */
export const listLoggedRequests = statement<
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
   select n.log_id, n.request_id, n.requested_at, n.method, n.operation, n.status, n.failure,
     n.took_ms, n.address_prefix, n.secret_id, s.name as secret_name, n.matches,
     (select count(*) from newest) < :read::int as is_whole
   from newest n
   left join access_secret s on s.merchant_id = :merchantId and s.environment = :environment
     and s.secret_id = n.secret_id
   where n.matches or n.log_id = (select min(log_id) from newest)
   order by n.log_id desc limit :limit::int`,
);
