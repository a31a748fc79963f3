import { limits, type ReplyOf } from '@florin/contract';
import * as contract from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import {
  countMissed,
  listSigningSecrets,
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';

type EndpointHealthRow = {
  readonly endpoint_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly api_version: number;
  readonly events: readonly string[];
  readonly is_paused: boolean;
  readonly missed_since: Date | null;
  readonly failing_since: Date | null;
  readonly last_delivered_at: Date | null;
  readonly last_error: string | null;
  readonly pending: number;
  readonly hours: readonly HourRow[];
};

type HourRow = {
  readonly hour: string;
  readonly attempts: number;
  readonly delivered: number;
  readonly took_ms: number;
  readonly slowest_ms: number;
};

const listEndpointHealth = statement<Tenant & { readonly hours: number }, EndpointHealthRow>(
  'dashboard_endpoint_health',
  sql('merchantId', 'environment', 'hours')`
   with tenant as materialized (select business_now(:merchantId, :environment) as now)
   select w.endpoint_id, w.url, w.description, w.api_version,
     array(select s.event_type from subscription s where s.merchant_id = :merchantId
       and s.environment = :environment and s.endpoint_id = w.endpoint_id
       order by s.event_type) as events,
     w.is_paused, w.missed_since, h.failing_since, h.last_delivered_at, h.last_error,
     (select count(*)::int from (select from delivery d where d.merchant_id = :merchantId
       and d.environment = :environment and d.endpoint_id = w.endpoint_id
       and d.state = 'PENDING' limit 1000) p) as pending,
     coalesce((select jsonb_agg(to_jsonb(x) order by x.hour) from (
       select o.hour, o.attempts, o.delivered, o.took_ms, o.slowest_ms from webhook_hour o
       where o.merchant_id = :merchantId and o.environment = :environment
         and o.endpoint_id = w.endpoint_id
         and o.hour > (select now from tenant) - :hours::int * interval '1 hour') x), '[]') as hours
   from webhook_endpoint w
   left join webhook_endpoint_health h on h.merchant_id = :merchantId
     and h.environment = :environment and h.endpoint_id = w.endpoint_id
   where w.merchant_id = :merchantId and w.environment = :environment and w.deleted_at is null
   order by w.created_at desc, w.endpoint_id limit 50`,
);

/** How well endpoints receive, and what signs to them, as commands set it too (DASHBOARD-44). */
export const webhookRoutes = (tools: Tools): readonly Route[] => [
  route(contract.listWebhookHealth, async ({ query: { hours } }, { tenant }) => {
    const values = { ...tenant, hours };
    const rows = await tools.database.tenant(tenant.merchantId, listEndpointHealth, values);
    return { data: rows.map(endpointOf) };
  }),
  route(contract.getMissedEvents, ({ params: { endpointId } }, { tenant }) =>
    countMissed(tools, tenant, endpointId),
  ),
  route(contract.listSigningSecrets, async (_, { tenant }) => ({
    data: await listSigningSecrets(tools, tenant),
  })),
  route(contract.rotateSigning, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(contract.stageSigning, (_, { tenant }) => stageSigningSecret(tools, tenant)),
  route(contract.promoteSigning, ({ body, decideOnce }, { tenant }) =>
    promoteSigningSecret(tools, tenant, body.overlapHours, decideOnce),
  ),
  route(contract.setEndpointStatus, ({ params, body }, { tenant }) =>
    setWebhookStatus(tools, tenant, params.endpointId, body.status),
  ),
];

type Endpoint = ReplyOf<typeof contract.listWebhookHealth>['data'][number];

const endpointOf = (row: EndpointHealthRow): Endpoint => ({
  endpointId: row.endpoint_id,
  url: row.url,
  description: row.description,
  apiVersion: row.api_version,
  events: [...row.events],
  status: row.is_paused ? 'PAUSED' : 'ACTIVE',
  missedSince: row.missed_since?.toISOString() ?? null,
  health: healthOf(row),
  failingSince: row.failing_since?.toISOString() ?? null,
  lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
  why: row.failing_since === null ? null : explainLastError(row.last_error),
  pending: row.pending,
  ...measured(row.hours),
  hours: row.hours.map((hour) => ({
    hour: new Date(hour.hour).toISOString(),
    ...measured([hour]),
  })),
});

const healthOf = (row: EndpointHealthRow): Endpoint['health'] => {
  if (row.failing_since !== null) return 'FAILING';
  return row.hours.length === 0 ? 'SILENT' : 'HEALTHY';
};

const measured = (hours: readonly HourRow[]) => {
  const sum = (of: (hour: HourRow) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const attempts = sum((hour) => hour.attempts);
  return {
    attempts,
    delivered: sum((hour) => hour.delivered),
    averageMs: attempts === 0 ? null : Math.round(sum((hour) => hour.took_ms) / attempts),
    slowestMs: attempts === 0 ? null : Math.max(...hours.map((hour) => hour.slowest_ms)),
  };
};

/** As the health of an endpoint stores it: the outcome, and the status where there is one. */
const explainLastError = (text: string | null) => {
  const [outcome = null, status] = text?.split(' ') ?? [];
  return explainDelivery({ outcome, status: status === undefined ? null : Number(status) });
};

const pruneWebhookHours = statement<
  { readonly retentionDays: number; readonly limit: number },
  { readonly endpoint_id: string }
>(
  'webhook_hour_prune',
  sql('retentionDays', 'limit')`
   delete from webhook_hour where (merchant_id, environment, endpoint_id, hour) in (
     select merchant_id, environment, endpoint_id, hour from webhook_hour
     where written_at < statement_timestamp() - :retentionDays::int * interval '1 day'
     order by written_at limit :limit::int)
   returning endpoint_id`,
  { guardedBy: 'age: what is deleted is written no more, a repeat deletes nothing' },
);

const pruneEveryMs = 10 * 60_000;
const maxPruned = 1_000;

export const pruneHours = ({ database }: Uses<'database'>): Job => ({
  name: 'pruneWebhookHours',
  everyMs: pruneEveryMs,
  run: async () => {
    const retentionDays = limits.webhookHourRetentionDays;
    return (await database.system(pruneWebhookHours, { retentionDays, limit: maxPruned })).length;
  },
});
