import { limits } from '@florin/contract';
import { getFunnel, listFailures } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readDays } from './days.ts';

export type InsightTools = Uses<'database'> & { readonly bankRails: BankRails };

type Read = Tenant & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly storeId: string | null;
  /** At most so many attempts of all stores, the newest. */
  readonly read: number;
};

/** Looked at after the newest were read: a store that few pay at costs no more. */
const isOfStore = (alias: string) =>
  sql('storeId')`(:storeId::uuid is null or ${alias}.store_id = :storeId::uuid)`;

const created = sql('merchantId', 'environment', 'fromDay', 'toDay')`
   i.merchant_id = :merchantId and i.environment = :environment
     and i.created_at >= london_midnight(:fromDay::date)
     and i.created_at < london_midnight(:toDay::date + 1)`;

const newest = sql('read')`
   select i.payment_request_id, i.position, i.store_id
   from transaction_item i where ${created}
   order by i.created_at desc, i.payment_request_id, i.position limit :read::int`;

const attempt = sql('merchantId', 'environment')`
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = n.payment_request_id and a.position = n.position`;

type FunnelRow = {
  readonly institution_id: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly started: number;
  readonly handed_over: number;
  readonly approved: number;
  readonly paid: number;
  readonly failed: number;
  /** Attempts that were looked at, of all stores. */
  readonly read: number;
};

const readFunnel = statement<Read, FunnelRow>(
  'dashboard_funnel',
  sql()`
   with newest as materialized (${newest})
   select a.institution_id, a.method, count(*)::int as started,
     -- who approved was there: no later step is larger
     count(*) filter (where a.rail_reference is not null or a.submitted_at is not null
       or a.status in ('PENDING', 'AUTHORIZED', 'COMPLETED'))::int as handed_over,
     count(*) filter (where a.submitted_at is not null
       or a.status in ('PENDING', 'AUTHORIZED', 'COMPLETED'))::int as approved,
     count(*) filter (where a.status = 'COMPLETED')::int as paid,
     count(*) filter (where a.status = 'FAILED')::int as failed,
     (select count(*) from newest)::int as read
   from newest n ${attempt}
   where ${isOfStore('n')}
   group by a.institution_id, a.method order by started desc, a.institution_id`,
);

/** Payment requests whose page was opened, the newest so many. */
const countOpened = statement<Read, { readonly opened: number }>(
  'dashboard_opened',
  sql('merchantId', 'environment', 'fromDay', 'toDay', 'read', 'storeId')`
   select count(*)::int as opened from (
     select o.payment_request_id from page_opening o
     where o.merchant_id = :merchantId and o.environment = :environment
       and o.opened_at >= london_midnight(:fromDay::date)
       and o.opened_at < london_midnight(:toDay::date + 1)
     limit :read::int) o
   where :storeId::uuid is null or exists (
     select from payment_request q
     where q.merchant_id = :merchantId and q.environment = :environment
       and q.payment_request_id = o.payment_request_id and q.store_id = :storeId::uuid)`,
);

type FailureRow = {
  readonly reason: string;
  readonly description: string | null;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly count: number;
  readonly amount_pence: bigint;
  readonly latest: readonly { readonly paymentRequestId: string; readonly orderId: string }[];
  readonly read: bigint;
};

/** Of each status apart, as its index is sorted: few fail among many that are paid. */
const readFailures = statement<Read, FailureRow>(
  'dashboard_failures',
  sql('read', 'merchantId', 'environment')`
   with newest as materialized (
     select f.* from unnest(array['FAILED', 'CANCELLED']) as ended (status) cross join lateral (
       select i.payment_request_id, i.position, i.total_pence, i.created_at, i.store_id
       from transaction_item i where ${created} and i.status = ended.status
       order by i.created_at desc, i.payment_request_id, i.position limit :read::int) f
     order by f.created_at desc limit :read::int)
   select f.reason, f.description, f.method, f.count, f.amount_pence, f.read,
     (select jsonb_agg(jsonb_build_object('paymentRequestId', q.payment_request_id,
         'orderId', q.order_id) order by q.created_at desc) from payment_request q
       where q.merchant_id = :merchantId and q.environment = :environment
         and q.payment_request_id = any (f.latest)) as latest
   from (
     select coalesce(a.error_code, a.ended_reason, a.status) as reason,
       max(a.error_description) as description, a.method, count(*)::int as count,
       sum(n.total_pence)::bigint as amount_pence,
       (array_agg(a.payment_request_id order by n.created_at desc))[1:5] as latest,
       (select count(*) from newest) as read
     from newest n ${attempt}
     where ${isOfStore('n')}
     group by 1, a.method) f
   order by f.count desc, f.reason`,
);

/** DASHBOARD-42: attempts of these days, by how far they came and why they failed. */
export const insightRoutes = (tools: InsightTools): readonly Route[] => [
  route(getFunnel, async ({ query }, { tenant }) => {
    const days = await readDays(tools, tenant, query);
    const read = limits.insightAttemptsMax;
    const values = { ...tenant, ...days, read, storeId: query.storeId ?? null };
    const [rows, [counted]] = await Promise.all([
      tools.database.tenant(tenant.merchantId, readFunnel, values),
      tools.database.tenant(tenant.merchantId, countOpened, values),
    ]);
    const opened = counted?.opened ?? 0;
    const banks = tools.bankRails.find(tenant.environment)?.institutions() ?? [];
    const names = new Map(banks.map(({ id, name }) => [id, name]));
    const all = stepsOf(rows);
    return {
      from: days.fromDay,
      to: days.toDay,
      isSample: (rows[0]?.read ?? 0) >= read || opened >= read,
      opened,
      ...all,
      banks: rows.map((row) => ({
        institutionId: row.institution_id,
        bankName:
          row.method === 'CARD' ? 'Card' : (names.get(row.institution_id) ?? row.institution_id),
        method: row.method,
        ...stepsOf([row]),
      })),
    };
  }),
  route(listFailures, async ({ query }, { tenant }) => {
    const days = await readDays(tools, tenant, query);
    const read = limits.insightAttemptsMax;
    const values = { ...tenant, ...days, read, storeId: query.storeId ?? null };
    const rows = await tools.database.tenant(tenant.merchantId, readFailures, values);
    return {
      from: days.fromDay,
      to: days.toDay,
      isSample: Number(rows[0]?.read ?? 0) >= read,
      data: rows.map((row) => ({
        reason: row.reason,
        ...explainFailure(row.reason, row.description),
        method: row.method,
        count: row.count,
        amount: poundsNumber(pence(row.amount_pence)),
        latest: [...row.latest],
      })),
    };
  }),
];

const stepsOf = (rows: readonly FunnelRow[]) => {
  const sum = (of: (row: FunnelRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    started: sum((row) => row.started),
    handedOver: sum((row) => row.handed_over),
    approved: sum((row) => row.approved),
    paid: sum((row) => row.paid),
    failed: sum((row) => row.failed),
  };
};

type Advice = {
  readonly title: string;
  readonly advice: string;
  readonly whoseMove: 'MERCHANT' | 'PAYER' | 'BANK' | 'NONE';
};

const tryAgain = 'The customer can try again, or choose another bank or a card.';

/** What a merchant reads of a reason (DASHBOARD-42). `description` is stored with the payment. */
export const explainFailure = (reason: string, description: string | null): Advice =>
  known[reason] ?? {
    title: forMerchant(description) ?? `It ended with ${reason}.`,
    advice: tryAgain,
    whoseMove: 'PAYER',
  };

/** The customer was also asked to do something: that is not for who reads it here. */
export const forMerchant = (why: string | null): string | null =>
  why?.replace(/ Please [^.]*\.$/, '') ?? null;

const noFunds: Advice = {
  title: 'There was not enough money in the account.',
  advice: 'The customer can use another account or a card.',
  whoseMove: 'PAYER',
};

const notApproved: Advice = {
  title: 'The customer did not approve it in time.',
  advice: 'Give them longer with expiresIn, or send the link again.',
  whoseMove: 'PAYER',
};

const known: Readonly<Record<string, Advice>> = {
  NOT_APPROVED_IN_TIME: notApproved,
  APPROVED_TOO_LATE: notApproved,
  REQUEST_EXPIRED: {
    title: 'The request had expired before it was approved.',
    advice: 'Give customers longer: expiresIn is 3 minutes unless you say more.',
    whoseMove: 'MERCHANT',
  },
  REQUEST_CANCELLED: {
    title: 'You cancelled the request.',
    advice: 'Nothing to do.',
    whoseMove: 'NONE',
  },
  SUPERSEDED: {
    title: 'The customer started again, with another bank or a card.',
    advice: 'Nothing to do: the later attempt counts.',
    whoseMove: 'NONE',
  },
  SHARE_TAKEN: {
    title: 'Somebody else had paid this part of the bill.',
    advice: 'Nothing to do.',
    whoseMove: 'NONE',
  },
  ACCESS_DENIED: {
    title: 'The customer said no at the bank.',
    advice: tryAgain,
    whoseMove: 'PAYER',
  },
  AM04: noFunds,
  insufficient_funds: noFunds,
  CONSENT_LOST: {
    title: 'The bank could not be reached.',
    advice: 'No money has moved. If it stays so, the page offers other banks first.',
    whoseMove: 'BANK',
  },
  EXCHANGE_LOST: {
    title: 'It was interrupted before it reached the bank.',
    advice: `No money has moved. ${tryAgain}`,
    whoseMove: 'PAYER',
  },
  PROCESSOR_UNREACHABLE: {
    title: 'The card processor could not be reached.',
    advice: `No money has moved. ${tryAgain}`,
    whoseMove: 'BANK',
  },
  RJCT: {
    title: 'The bank refused the payment and did not say why.',
    advice: 'The customer can ask the bank, or use another one.',
    whoseMove: 'BANK',
  },
  BLCK: {
    title: 'The bank has blocked the payment.',
    advice: 'Money may be held: we follow it with the bank. Do not hand over goods.',
    whoseMove: 'BANK',
  },
};
