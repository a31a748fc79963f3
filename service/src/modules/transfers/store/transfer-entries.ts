import type { Environment, Tenant } from '#kernel/environment.ts';
import { postEntriesCtes } from '#modules/ledger/index.ts';
import { openCasesCtes, resolveCasesCtes } from '#modules/operator-cases/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { TransferSubject } from '../report-transfers.ts';
import type { TransferOutcome } from './order-transfers.ts';

export const insertEntries = statement<
  { readonly environment: string; readonly entries: string },
  never
>(
  'transfer_entry_insert',
  sql('environment', 'entries')`
   insert into transfer_entry (environment, entry_key, end_to_end_id, kind, amount_pence)
   select :environment, e.entry_key, e.end_to_end_id, e.kind, e.amount_pence
   from jsonb_to_recordset(:entries::jsonb) as e (entry_key text, end_to_end_id text, kind text,
     amount_pence bigint)
   on conflict (environment, entry_key) do nothing`,
  { guardedBy: 'primary key (environment, entry_key): an entry that is listed again adds nothing' },
);

/** What the bank has booked of a transfer, beside what the books say of it. */
export type TransferSides = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly end_to_end_id: string;
  readonly subject: TransferSubject;
  readonly subject_id: string;
  readonly amount_pence: bigint;
  readonly outcome: TransferOutcome | null;
  readonly difference_pence: bigint;
  readonly held_pence: bigint;
  /** Null: the bank has listed none. */
  readonly debited_pence: bigint | null;
  readonly returned_pence: bigint | null;
  /** Of the refund, or of the first line of the payout. */
  readonly store_id: string | null;
  readonly now: Date;
};

/** Of those transfers that the bank has listed an entry of. */
export const readSides = statement<
  { readonly environment: string; readonly endToEndIds: readonly string[] },
  TransferSides
>(
  'transfer_read_sides',
  sql('environment', 'endToEndIds')`
   select t.merchant_id, t.environment, t.end_to_end_id, b.subject, t.subject_id, t.amount_pence,
     t.outcome, t.difference_pence, t.held_pence, s.debited_pence, s.returned_pence,
     coalesce(r.store_id, l.store_id) as store_id,
     date_trunc('milliseconds', clock_timestamp()) + clock_offset(t.merchant_id, t.environment) as now
   from (select e.end_to_end_id,
       (sum(e.amount_pence) filter (where e.kind = 'DEBIT'))::bigint as debited_pence,
       (sum(e.amount_pence) filter (where e.kind = 'RETURN'))::bigint as returned_pence
     from transfer_entry e
     where e.environment = :environment and e.end_to_end_id = any (:endToEndIds::text[])
     group by e.end_to_end_id) s
   join transfer t on t.end_to_end_id = s.end_to_end_id and t.environment = :environment
   join transfer_batch b on b.merchant_id = t.merchant_id and b.environment = t.environment
     and b.message_id = t.message_id
   left join refund r on r.merchant_id = t.merchant_id and r.environment = t.environment
     and r.refund_id = t.subject_id
   left join lateral (select pl.store_id from payout_line pl
     where b.subject = 'PAYOUT' and pl.merchant_id = t.merchant_id
       and pl.environment = t.environment and pl.payout_id = t.subject_id
     order by pl.payout_id, pl.entry_id limit 1) l on true`,
);

/** The difference of a transfer, its entries and its case. */
export const bookDifference = statement<
  Tenant & {
    readonly endToEndId: string;
    readonly outcome: TransferOutcome | null;
    readonly fromDifferencePence: string;
    readonly fromHeldPence: string;
    readonly differencePence: string;
    readonly heldPence: string;
    readonly unreturnedPence: string;
    readonly postings: string;
    readonly cases: string;
    readonly resolvedCases: string;
  },
  { readonly subject_id: string }
>(
  'transfer_book_difference',
  sql(
    'merchantId',
    'environment',
    'endToEndId',
    'outcome',
    'fromDifferencePence',
    'fromHeldPence',
    'differencePence',
    'heldPence',
    'unreturnedPence',
  )`
   with won as (
     update transfer set difference_pence = :differencePence::bigint,
       held_pence = :heldPence::bigint, unreturned_pence = :unreturnedPence::bigint
     where merchant_id = :merchantId and environment = :environment
       and end_to_end_id = :endToEndId and outcome is not distinct from :outcome::text
       and difference_pence = :fromDifferencePence::bigint and held_pence = :fromHeldPence::bigint
     returning subject_id),
   ${postEntriesCtes('won', 'subject_id')},
   ${openCasesCtes('won', 'subject_id')},
   ${resolveCasesCtes('won', 'subject_id')}
   select subject_id from won`,
  { guardedBy: 'the outcome and the difference as read' },
);
