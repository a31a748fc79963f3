import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type { getCashUp } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addPence, noPence, pence, poundsNumber, subtractPence } from '#kernel/pence.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { findNames } from '#modules/people/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

/** The sales of one seller at one till by one method; no method: they are not paid. */
type Row = {
  readonly day: string;
  readonly till_name: string;
  readonly person_id: string;
  readonly method: 'PAY_BY_BANK' | 'CARD' | null;
  readonly sales: number;
  readonly amount_pence: bigint;
  readonly tip_pence: bigint;
  readonly refunded_pence: bigint;
};

type Values = Tenant & { readonly day: string | null; readonly storeId: string | null };

const addSales = statement<Values, Row | { readonly day: string; readonly sales: null }>(
  'till_cash_up',
  sql('merchantId', 'environment', 'day', 'storeId')`
   with chosen as materialized (select coalesce(:day::date,
       ((clock_timestamp() + ${clockOffsetSql}) at time zone 'Europe/London')::date) as day),
   sale as materialized (
     select q.payment_request_id, q.till_name, q.secret_id from chosen c
     join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
       and q.channel = 'TILL' and q.created_at >= london_midnight(c.day)
       and q.created_at < london_midnight(c.day + 1)
       and (:storeId::uuid is null or q.store_id = :storeId::uuid)),
   added as (
     select s.till_name, s.secret_id as person_id, a.method, count(*)::int as sales,
       coalesce(sum(a.amount_pence), 0)::bigint as amount_pence,
       coalesce(sum(a.tip_pence), 0)::bigint as tip_pence,
       coalesce(sum(a.refunded_pence + a.refund_reserved_pence
         + refunded_at_processor_pence(a.refunds)), 0)::bigint as refunded_pence
     from sale s
     left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.payment_request_id = s.payment_request_id and a.status = 'COMPLETED'
     group by 1, 2, 3 order by 1, 2, 3 limit ${limits.cashUpRowsMax})
   select c.day::text as day, added.* from chosen c left join added on true`,
);

/** What the tills of a merchant, or of one store, took on a day (TILL-4). */
export const showCashUp = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof getCashUp>,
): Promise<ReplyOf<typeof getCashUp>> => {
  const { merchantId } = tenant;
  const values = { ...tenant, day: query.day ?? null, storeId: query.storeId ?? null };
  const read = await tools.database.tenant(merchantId, addSales, values);
  const rows = read.flatMap((row) => (row.sales === null ? [] : [row]));
  const paid = rows.filter(({ method }) => method !== null);
  const names = await findNames(
    tools,
    paid.map(({ person_id: id }) => id),
  );
  const unpaid = rows.filter(({ method }) => method === null);
  return {
    day: read[0]?.day ?? '',
    ...taken(paid),
    unpaid: unpaid.reduce((sum, { sales }) => sum + sales, 0),
    byMethod: groups(
      paid,
      (row) => row.method ?? 'CARD',
      (method) => ({ method }),
    ),
    byPerson: groups(
      paid,
      (row) => row.person_id,
      (id) => ({ name: names.get(id) ?? null }),
    ),
    byTill: groups(
      paid,
      (row) => row.till_name,
      (tillName) => ({ tillName }),
    ),
  };
};

const groups = <Key extends string, Named>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  named: (key: Key) => Named,
) => {
  const keys = [...new Set(rows.map(keyOf))];
  return keys.map((key) => ({ ...named(key), ...taken(rows.filter((row) => keyOf(row) === key)) }));
};

const taken = (rows: readonly Row[]) => {
  const sum = (column: 'amount_pence' | 'tip_pence' | 'refunded_pence') =>
    rows.reduce((total, row) => addPence(total, pence(row[column])), noPence);
  const [amount, tips, refunded] = [sum('amount_pence'), sum('tip_pence'), sum('refunded_pence')];
  return {
    sales: rows.reduce((total, { sales }) => total + sales, 0),
    amount: poundsNumber(amount),
    tips: poundsNumber(tips),
    refunded: poundsNumber(refunded),
    total: poundsNumber(subtractPence(addPence(amount, tips), refunded)),
  };
};
