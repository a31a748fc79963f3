import { type Environment, type Tenant, tenantOf } from '#kernel/environment.ts';
import { clockOffsetSql, logoPath, missingPublicId } from '#modules/merchants/index.ts';
import type { BatchStatement, Scope } from '#platform/database/batch-statement.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { columnNames, statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { AmountParts, Payment } from '../payment.ts';
import { attemptFromJson, readColumns } from './attempt-columns.ts';
import { type Column, membersFrom, typesOf } from './member-columns.ts';
import { requestColumns, requestFromRow } from './request-columns.ts';

const members = {
  paymentRequestId: ['payment_request_id', 'uuid'],
  kind: ['kind', 'text'],
  status: ['status', 'text'],
  version: ['version', 'int'],
  amountPence: ['amount_pence', 'bigint'],
  paidPence: ['paid_pence', 'bigint'],
  fixedTipPence: ['fixed_tip_pence', 'bigint'],
  secretId: ['secret_id', 'uuid'],
  timeExtensions: ['time_extensions', 'smallint'],
  expiresBusinessAt: ['expires_business_at', 'timestamptz'],
  liveAttemptCount: ['live_attempt_count', 'int'],
  eventSequence: ['event_sequence', 'int'],
  createdAt: ['created_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
} as const satisfies Partial<Record<keyof Payment, Column>>;

const parts = {
  taxPence: ['tax_pence', 'bigint'],
  servicePence: ['service_pence', 'bigint'],
} as const;

type Row = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly tax_percentage: string;
  readonly service_percentage: string;
  readonly expires_in_ms: bigint;
  readonly cards_enabled: boolean;
  readonly signs_every_return: boolean;
  readonly repeats_completed: boolean;
  readonly is_suspended: boolean;
  readonly business_name: string;
  readonly category_code: string;
  readonly completed_at_settlement: boolean;
  readonly avatar_url: string | null;
  readonly accent_colour: string | null;
  readonly support_email: string | null;
  readonly support_phone: string | null;
  readonly support_url: string | null;
  readonly logo_file: string | null;
  readonly store_id: string;
  readonly location_name: string;
  readonly store_address: string;
  readonly attempts: Record<string, unknown>[];
  readonly now: Date;
  readonly clock_offset_ms: number;
  readonly tips: TipRow | null;
};

type TipRow = {
  readonly tip_id: string;
  readonly tip_type: 'FIXED' | 'PERCENTAGE';
  readonly options: readonly number[];
  readonly allows_custom: boolean;
};

type Values = { readonly paymentRequestIds: readonly string[] };

const load = statement<Values & Scope, Row & { readonly item: number }>(
  'payment_load',
  sql('merchantId', 'environment', 'paymentRequestIds')`
   select (wanted.ordinality - 1)::int as item, r.merchant_id, r.environment, r.store_id,
     ${columnNames(typesOf(members, parts), 'r')}, ${columnNames(requestColumns, 'r')},
     r.tax_percentage, r.service_percentage, r.expires_in_ms,
     w.cards_enabled, w.signs_every_return, w.repeats_completed,
     w.suspension_id is not null as is_suspended,
     m.business_name, m.category_code, m.completed_at_settlement,
     m.avatar_url, m.accent_colour, m.support_email, m.support_phone, m.support_url,
     m.logo_file, s.location_name,
     concat_ws(', ', nullif(s.address_line_1, ''), nullif(s.address_line_2, ''),
       nullif(s.city, ''), nullif(s.postal_code, '')) as store_address,
     coalesce((select json_agg(row_to_json(made) order by made.position) from (
         select ${readColumns.map((column) => `a.${column}`).join(', ')},
           p.poll_business_at, coalesce(p.poll_count, 0) as poll_count,
           greatest(a.leased_until, p.leased_until) as leased_until
         from attempt a
         left join attempt_poll p on p.merchant_id = a.merchant_id
           and p.environment = a.environment and p.attempt_id = a.attempt_id
         where a.merchant_id = :merchantId and a.environment = :environment
           and a.payment_request_id = wanted.id) made), '[]') as attempts,
     (select to_jsonb(t) from tip_setting t where t.merchant_id = :merchantId
       and t.environment = :environment and t.is_enabled) as tips,
     date_trunc('milliseconds', clock_timestamp()) + clock.moved as now,
     extract(epoch from clock.moved)::float8 * 1000 as clock_offset_ms
   from unnest(:paymentRequestIds::uuid[]) with ordinality as wanted (id)
   join payment_request r on r.merchant_id = :merchantId and r.environment = :environment
     and r.payment_request_id = any (:paymentRequestIds::uuid[])
     and r.payment_request_id = wanted.id
   cross join (select ${clockOffsetSql} as moved) clock
   join merchant m on m.merchant_id = :merchantId
   join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
   join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = r.store_id`,
);

const loading: BatchStatement<string, Values, Row> = {
  statement: load,
  valuesOf: (paymentRequestIds) => ({ paymentRequestIds }),
  keysOf: () => [],
};

/** The whole payment in one read, with the tenant's time. */
export const loadPayment = async (
  database: Database,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment | null> => {
  const row = await database.batched(tenant, loading, paymentRequestId);
  return row ? paymentOf(row) : null;
};

const paymentOf = (row: Row): Payment => {
  const request = {
    ...requestFromRow(row),
    ...(membersFrom(members, row) as Pick<Payment, keyof typeof members>),
  };
  return {
    ...request,
    parts: membersFrom(parts, row) as AmountParts,
    tenant: tenantOf(row),
    taxPercentage: Number(row.tax_percentage),
    servicePercentage: Number(row.service_percentage),
    expiresInMs: Number(row.expires_in_ms),
    cardsEnabled: row.cards_enabled,
    merchant: merchantOf(row),
    store: { id: row.store_id, locationName: row.location_name, address: row.store_address },
    tips:
      request.tipsEnabled && request.fixedTipPence === null && row.tips ? tipsOf(row.tips) : null,
    attempts: row.attempts.map(attemptFromJson),
    now: row.now,
    readAtMs: performance.now(),
    clockOffsetMs: row.clock_offset_ms,
  };
};

const merchantOf = (row: Row): Payment['merchant'] => ({
  name: row.business_name,
  categoryCode: row.category_code,
  completedAtSettlement: row.completed_at_settlement,
  signsEveryReturn: row.signs_every_return,
  repeatsCompleted: row.repeats_completed,
  isSuspended: row.is_suspended,
  avatarUrl: row.avatar_url,
  accentColour: row.accent_colour,
  logoUrl: logoPath(row.merchant_id, row.logo_file),
  support: { email: row.support_email, phone: row.support_phone, url: row.support_url },
});

const tipsOf = (row: TipRow): Payment['tips'] => ({
  tipId: row.tip_id,
  type: row.tip_type,
  options: row.options,
  allowsCustom: row.allows_custom,
});

type PaymentHistoryRow = {
  readonly subject: 'REQUEST' | 'ATTEMPT';
  readonly subject_id: string;
  readonly from_status: string | null;
  readonly to_status: string;
  readonly trigger: string;
  readonly detail: string | null;
  readonly occurred_at: Date;
};

export const readPaymentHistory = statement<
  Tenant & { readonly paymentRequestId: string },
  PaymentHistoryRow
>(
  'payment_history_read',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select subject, subject_id, from_status, to_status, trigger, detail, occurred_at
   from payment_history
   where merchant_id = :merchantId and environment = :environment
     and payment_request_id = :paymentRequestId::uuid
   order by version, "position"`,
);

/** The caller's own payment; another merchant's answers like a missing one. */
export const findOwnPayment = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  if (payment) return payment;
  const message = 'There is no payment request with this id.';
  throw await missingPublicId(tools, tenant, message, paymentRequestId, 'PAYMENT_REQUEST');
};
