import type { QueryOf, ReplyOf } from '@florin/contract';
import { getStatement as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readDays } from './days.ts';
import { left, leftFigureOf, noStore, readPaidAndOwed } from './money.ts';

type Reply = ReplyOf<typeof operation>;
type Amounts = Omit<Reply['days'][number], 'day'>;

type Values = Tenant & {
  readonly owed: readonly string[];
  readonly reasons: readonly string[];
  readonly storeId: string | null;
  readonly fromDay: string;
  readonly toDay: string;
};

type SumRow = {
  /** Null: of a store or a method, over all days. */
  readonly day: string | null;
  /** Null: of a day or a store. */
  readonly method: Reply['methods'][number]['method'] | null;
  readonly store_id: string | null;
  readonly store_name: string | null;
  readonly reason: string;
  readonly amount_pence: bigint;
  readonly tip_pence: bigint;
  readonly tax_pence: bigint;
  readonly service_pence: bigint;
};

const sums = `sum(m.amount_pence)::bigint as amount_pence, sum(m.tip_pence)::bigint as tip_pence,
     sum(m.tax_pence)::bigint as tax_pence, sum(m.service_pence)::bigint as service_pence`;

const isOfStore = '(:storeId::uuid is null or m.store_id = :storeId::uuid)';

const withinSale = (column: string): string =>
  `case when f.reason = 'PAYMENT_COMPLETED' then coalesce(a.${column}, 0) else 0 end`;

/** Counted days and the entries after them, in one snapshot, as the money page reads them. */
const readStoreSums = statement<Values, SumRow>(
  'money_store_day_read',
  sql('merchantId', 'environment', 'owed', 'reasons', 'storeId', 'fromDay', 'toDay')`
   with cursor as materialized (
     select coalesce(max(counted_in::text::bigint), 0)::text::xid8 as counted_in
     from money_day_cursor where merchant_id = :merchantId and environment = :environment),
   moved as materialized (
     select d.day, d.store_id, d.reason, d.method, d.amount_pence, d.tip_pence, d.tax_pence, d.service_pence
     from money_store_day d
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.day between :fromDay::date and :toDay::date
     union all
     select london_day(f.occurred_at), coalesce(f.store_id, ${noStore}), f.reason,
       coalesce(a.method, r.method, 'NONE'), -f.amount_pence, ${withinSale('tip_pence')},
       ${withinSale('tax_pence')}, ${withinSale('service_pence')}
     from unnest(:owed::text[]) as known (account) cross join lateral (
       select e.* from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.account = known.account and e.written_in > (select counted_in from cursor)
       order by e.written_in, e.entry_id offset 0) f
     left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = f.attempt_id
     left join refund r on r.merchant_id = :merchantId and r.environment = :environment
       and r.refund_id = f.resource_id and f.attempt_id is null
     where f.reason = any (:reasons::text[])
       and london_day(f.occurred_at) between :fromDay::date and :toDay::date)
   select m.day::text as day, null::uuid as store_id, null as store_name, null as method, m.reason,
     ${sums}
   from moved m where ${isOfStore} group by m.day, m.reason
   union all
   select null, null, null, m.method, m.reason, ${sums}
   from moved m where ${isOfStore} group by m.method, m.reason
   union all
   select null, nullif(m.store_id, ${noStore}), case when s.store_id is not null
       then ${shownStoreNameSql('s')} end, null, m.reason, ${sums}
   from moved m
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = m.store_id
   group by m.store_id, s.store_id, s.location_name, m.reason`,
);

/** Its days are those of the money page, to the penny. */
export const showStatement = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operation>,
): Promise<Reply> => {
  const days = await readDays(tools, tenant, query);
  const [rows, carried] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readStoreSums, {
      ...{ ...tenant, ...days, storeId: query.storeId ?? null },
      ...{ owed: left.accounts, reasons: left.reasons },
    }),
    query.carried ? readPaidAndOwed(tools, tenant, days) : undefined,
  ]);
  const ofDays = rows.filter(({ day }) => day !== null);
  const ofMethods = rows.filter(({ method }) => method !== null);
  const ofStores = rows.filter(({ day, method }) => day === null && method === null);
  return {
    ...{ from: days.fromDay, to: days.toDay, currency: 'GBP', ...amountsOf(ofDays) },
    ...(carried && { carried }),
    tips: sumOf(ofDays, 'tip_pence'),
    service: sumOf(ofDays, 'service_pence'),
    days: grouped(ofDays, ({ day }) => day ?? '')
      .map((group) => ({ day: group[0]?.day ?? '', ...amountsOf(group) }))
      .toSorted((one, other) => one.day.localeCompare(other.day)),
    stores: grouped(ofStores, ({ store_id }) => store_id ?? '')
      .map((group) => ({
        storeId: group[0]?.store_id ?? null,
        storeName: group[0]?.store_name ?? null,
        ...amountsOf(group),
      }))
      .toSorted((one, other) => other.net - one.net),
    methods: grouped(ofMethods, ({ method }) => method ?? '')
      .map((group) => ({ method: group[0]?.method ?? ('NONE' as const), ...amountsOf(group) }))
      .toSorted((one, other) => other.net - one.net),
  };
};

const grouped = (rows: readonly SumRow[], keyOf: (row: SumRow) => string): readonly SumRow[][] => {
  const groups = new Map<string, SumRow[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups.values()];
};

type Summed = 'amount_pence' | 'tip_pence' | 'tax_pence' | 'service_pence';

const sumOf = (rows: readonly SumRow[], column: Summed, sign: 1n | -1n = 1n): number =>
  poundsNumber(pence(sign * rows.reduce((sum, row) => sum + row[column], 0n)));

const amountsOf = (rows: readonly SumRow[]): Amounts => {
  const of = (figure: ReturnType<typeof leftFigureOf>) =>
    rows.filter(({ reason }) => leftFigureOf(reason) === figure);
  return {
    sold: sumOf(of('SOLD'), 'amount_pence'),
    refunded: sumOf(of('REFUNDED'), 'amount_pence', -1n),
    reversed: sumOf(of('REVERSED'), 'amount_pence', -1n),
    fees: sumOf(of('FEES'), 'amount_pence', -1n),
    net: sumOf(rows, 'amount_pence'),
    tax: sumOf(rows, 'tax_pence'),
  };
};

/** What was sold and what went off in some days, by day, by store and by method (DASHBOARD-41). */
export const statementRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operation, ({ query }, { tenant }) => showStatement(tools, tenant, query)),
];
