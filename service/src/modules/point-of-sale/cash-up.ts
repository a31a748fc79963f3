import { limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type { getCashUp } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addPence, noPence, pence, poundsNumber, subtractPence } from '#kernel/pence.ts';
import { findNames } from '#modules/people/index.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { addSales, type SalesRow } from './store.ts';

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
  // A sum over a part of them would be wrong.
  if (rows.length >= limits.cashUpRowsMax)
    throw wrongField('storeId', 'must name a store: so many tills cannot be added up at once');
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
  rows: readonly SalesRow[],
  keyOf: (row: SalesRow) => Key,
  named: (key: Key) => Named,
) => {
  const keys = [...new Set(rows.map(keyOf))];
  return keys.map((key) => ({ ...named(key), ...taken(rows.filter((row) => keyOf(row) === key)) }));
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
