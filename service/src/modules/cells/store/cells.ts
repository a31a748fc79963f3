import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { MoveStatus } from '../move-lifecycle.ts';

type CellRow = { readonly cell_id: string; readonly address: string | null };

/** This one is that without an address. */
export const listCells = statement<Record<never, never>, CellRow>(
  'cell_list',
  sql()`select cell_id, address from cell order by address nulls first`,
  { readsWholeTables: true },
);

export const setCellAddress = statement<
  { readonly cellId: string; readonly address: string },
  { readonly cell_id: string }
>(
  'cell_set_address',
  sql('cellId', 'address')`
   insert into cell as c (cell_id, address) values (:cellId::uuid, :address)
   on conflict (cell_id) do update set address = excluded.address where c.address is not null
   returning cell_id`,
  { guardedBy: 'address: this cell stays without one; unique: two cells have two' },
);

type SideRow = {
  readonly merchant_id: string;
  readonly version: number;
  readonly status: MoveStatus | null;
  readonly other_cell_id: string | null;
  readonly is_known: boolean;
};

/** Of one merchant, or of all that were moved, page by page. */
export const listSides = statement<
  { readonly merchantId: string | null; readonly after: string | null; readonly limit: number },
  SideRow
>(
  'cell_sides',
  sql('merchantId', 'after', 'limit')`
   select n.merchant_id, coalesce(m.version, 0) as version, m.status, m.other_cell_id,
     exists (select from merchant b where b.merchant_id = n.merchant_id) as is_known
   from (select :merchantId::uuid as merchant_id where :merchantId::uuid is not null
     union all
     (select p.merchant_id from cell_move p where :merchantId::uuid is null
       and (:after::uuid is null or p.merchant_id > :after::uuid) order by 1 limit :limit)) n
   left join cell_move m on m.merchant_id = n.merchant_id
   order by 1`,
);

/** Whose rows no program sees: who is on the way, and copies that stay closed. */
export const listHidden = statement<
  Record<never, never>,
  { readonly merchant_id: string; readonly status: MoveStatus }
>(
  'cell_hidden',
  sql()`
   select merchant_id, status from cell_move
   where status <> 'UNDONE' and not is_removed and not cell_has(status) order by merchant_id`,
  { readsWholeTables: true },
);

export const readNumber = statement<object, { readonly written_in: string }>(
  'cell_written_in',
  sql()`select written_in()::text as written_in`,
);

/** Nothing where they are far above already. */
export const raiseNumbers = statement<{ readonly above: string }, { readonly is_raised: boolean }>(
  'cell_raise_numbers',
  sql('above')`select raise_cluster_epoch(:above::text::xid8) as is_raised`,
  { guardedBy: 'an advisory lock, and numbers that are only raised' },
);
