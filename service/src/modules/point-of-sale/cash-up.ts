import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type { getCashUp } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addPence, noPence, pence, poundsNumber, subtractPence } from '#kernel/pence.ts';
import { findNames } from '#modules/people/index.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { addSales, type SalesRow } from './store.ts';

/** What the tills of a merchant, or of one store, took in some days (TILL-4). */
export const showCashUp = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof getCashUp>,
): Promise<ReplyOf<typeof getCashUp>> => {
  const { merchantId } = tenant;
  const { day = null, to = null, storeId = null } = query;
  checkDays(day, to);
  const read = await tools.database.tenant(merchantId, addSales, { ...tenant, day, to, storeId });
  const rows = read.flatMap((row) => (row.sales === null ? [] : [row]));
  // A sum over a part of them would be wrong.
  if (rows.length >= limits.cashUpRowsMax)
    throw wrongField(
      'storeId',
      'must name a store, or to an earlier day: it is too much to add up',
    );
  const paid = rows.filter(({ method }) => method !== null);
  const names = await findNames(
    tools,
    paid.map(({ person_id: id }) => id),
  );
  const unpaid = rows.filter(({ method }) => method === null);
  const first = read[0]?.day ?? '';
  return {
    ...{ day: first, to: to ?? first, ...taken(paid) },
    unpaid: unpaid.reduce((sum, { sales }) => sum + sales, 0),
    byMethod: groups(
      paid,
      (row) => row.method ?? 'CARD',
      ({ method }) => ({ method: method ?? 'CARD' }),
    ),
    byPerson: groups(
      paid,
      (row) => row.person_id,
      ({ person_id: id }) => ({ name: names.get(id) ?? null }),
    ),
    byTill: groups(
      paid,
      (row) => row.till_name,
      ({ till_name: tillName }) => ({ tillName }),
    ),
    byStore: groups(
      paid,
      (row) => row.store_id,
      ({ store_name: storeName }) => ({ storeName }),
    ),
    shifts: groups(
      paid,
      (row) => `${row.sold_on} ${row.store_id} ${row.person_id}`,
      (row, all) => ({
        ...{ day: row.sold_on, storeName: row.store_name, name: names.get(row.person_id) ?? null },
        bankTotal: taken(all.filter(({ method }) => method === 'PAY_BY_BANK')).total,
        cardTotal: taken(all.filter(({ method }) => method === 'CARD')).total,
      }),
    ),
  };
};

const dayMs = 24 * 60 * 60 * 1000;

const checkDays = (day: string | null, to: string | null): void => {
  if (to === null) return;
  if (day === null) throw wrongField('day', 'must be given where to is');
  const days = (Date.parse(to) - Date.parse(day)) / dayMs + 1;
  if (days < 1) throw wrongField('to', 'must not be before day');
  if (days > limits.cashUpDaysMax)
    throw wrongField('to', `must be at most ${limits.cashUpDaysMax} days, day itself included`);
};

/** In the order of their first rows. */
const groups = <Named>(
  rows: readonly SalesRow[],
  keyOf: (row: SalesRow) => string,
  named: (first: SalesRow, all: readonly SalesRow[]) => Named,
) => {
  const found = new Map<string, SalesRow[]>();
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  return [...found.values()].flatMap((all) =>
    all[0] ? [{ ...named(all[0], all), ...taken(all) }] : [],
  );
};

const taken = (rows: readonly SalesRow[]) => {
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
