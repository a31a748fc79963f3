import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { DueTenant } from './attach-lines.ts';

export type OwingAccount = DueTenant & {
  readonly payout_id: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly amount_pence: bigint;
  readonly updated_at: Date;
};

/** Open payouts below nothing without a new line for so many days, of which no case is open. */
export const listOwingAccounts = statement<
  { readonly days: number; readonly limit: number },
  OwingAccount
>(
  'payout_owing_accounts',
  sql('days', 'limit')`
   select p.merchant_id, p.environment, p.payout_id, p.sort_code, p.account_number,
     p.amount_pence, p.updated_at
   from payout p
   where p.status = 'PENDING' and p.amount_pence < 0
     and p.updated_at - clock_offset(p.merchant_id, p.environment)
       <= statement_timestamp() - :days::int * interval '1 day'
     and not exists (select from operator_case c where c.kind = 'ACCOUNT_NEGATIVE'
       and c.subject = p.payout_id::text and c.status = 'OPEN')
   order by p.updated_at limit :limit`,
);

export type OverduePayout = DueTenant & {
  readonly payout_id: string;
  readonly end_to_end_id: string;
  readonly amount_pence: bigint;
  readonly updated_at: Date;
};

/** Payouts that were handed over so many hours ago and have not ended, of which no case is open. */
export const listOverduePayouts = statement<
  { readonly hours: number; readonly limit: number },
  OverduePayout
>(
  'payout_overdue',
  sql('hours', 'limit')`
   select p.merchant_id, p.environment, p.payout_id, p.end_to_end_id, p.amount_pence, p.updated_at
   from payout p
   where p.status = 'PROCESSING' and p.updated_at - clock_offset(p.merchant_id, p.environment)
       <= statement_timestamp() - :hours::int * interval '1 hour'
     and not exists (select from operator_case c where c.kind = 'PAYOUT_OVERDUE'
       and c.subject = p.payout_id::text and c.status = 'OPEN')
   order by p.updated_at limit :limit`,
);

export type UnplacedStore = DueTenant & {
  readonly store_id: string;
  readonly payable_pence: bigint;
};

export const listUnplacedStores = statement<{ readonly limit: number }, UnplacedStore>(
  'payout_unplaced_stores',
  sql('limit')`
   select w.merchant_id, w.environment, e.store_id, -sum(e.amount_pence)::bigint as payable_pence
   from merchant_switch w
   left join payout_cursor c on c.merchant_id = w.merchant_id and c.environment = w.environment
   join ledger_entry e on e.merchant_id = w.merchant_id and e.environment = w.environment
     and e.account = 'MERCHANT_PAYABLE' and e.reason not like 'PAYOUT%'
     and e.written_in >= coalesce(c.up_to_written_in, '0'::xid8)
   where not exists (select from store_bank_account a where a.merchant_id = e.merchant_id
       and a.environment = e.environment and a.store_id = e.store_id)
     and not exists (select from payout_line l where l.merchant_id = e.merchant_id
       and l.environment = e.environment and l.entry_id = e.entry_id)
   group by w.merchant_id, w.environment, e.store_id
   order by w.merchant_id, w.environment, e.store_id limit :limit`,
);

/** What is over when a case of this kind ends. */
export const endings = {
  ACCOUNT_NEGATIVE: 'The account owes nothing any more.',
  STORE_ACCOUNT_NEEDED: 'The store has an account.',
  PAYOUT_OVERDUE: 'The bank has said what became of the payout.',
} as const;

/** Open cases of these kinds whose reason is over. */
export const listSettledCases = statement<
  Record<never, never>,
  { readonly kind: keyof typeof endings; readonly subject: string }
>(
  'payout_settled_cases',
  sql()`
   select c.kind, c.subject from operator_case c
   where c.status = 'OPEN' and (
     c.kind = 'ACCOUNT_NEGATIVE' and not exists (select from payout p
       where p.merchant_id = c.merchant_id and p.environment = c.environment
         and p.payout_id::text = c.subject and p.status = 'PENDING' and p.amount_pence < 0)
     or c.kind = 'PAYOUT_OVERDUE' and not exists (select from payout p
       where p.merchant_id = c.merchant_id and p.environment = c.environment
         and p.payout_id::text = c.subject and p.status = 'PROCESSING')
     or c.kind = 'STORE_ACCOUNT_NEEDED' and exists (select from store_bank_account a
       where a.merchant_id = c.merchant_id and a.environment = c.environment
         and a.store_id::text = c.subject))`,
);
