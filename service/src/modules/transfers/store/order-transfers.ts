import type { Pence } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';
import { bytesToHex } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import type { TransferSubject } from '../report-transfers.ts';

type TransferDraft = {
  readonly endToEndId: string;
  readonly subjectId: string;
  readonly amountPence: Pence;
  readonly creditorEncrypted: Buffer;
  readonly reference: string;
};

export type BatchDraft = {
  readonly messageId: string;
  readonly subject: TransferSubject;
  readonly onBehalfOf: string;
  readonly transfers: readonly TransferDraft[];
};

export type TransferOrder = {
  readonly subjectId: string;
  readonly amountPence: Pence;
  readonly creditor: TransferAccount;
  readonly reference: string;
};

const idBits = 125;

/** One message to the bank. Its ids are used once: a retry after a rejection is a new batch. */
export const draftBatch = (
  tools: Uses<'ids' | 'secrets'>,
  subject: TransferSubject,
  merchantName: string,
  orders: readonly TransferOrder[],
): BatchDraft => ({
  messageId: `FLB${tools.ids.token(idBits).toUpperCase()}`,
  subject,
  onBehalfOf: merchantName,
  transfers: orders.map(({ creditor, ...order }) => {
    const endToEndId = `FLT${tools.ids.token(idBits).toUpperCase()}`;
    const creditorEncrypted = tools.secrets.encrypt(
      JSON.stringify(creditor),
      creditorContext(endToEndId),
    );
    return { ...order, endToEndId, creditorEncrypted };
  }),
});

export const creditorContext = (endToEndId: string) => ({
  table: 'transfer',
  row: endToEndId,
  column: 'creditor_encrypted',
});

/**
 * Table expressions for the statement that hands money over: the batch with the transfers of the
 * subjects in `guard.column`. A batch without any is not written.
 */
export const orderTransfersCtes = (guard: string, column: string) => sql(
  'merchantId',
  'environment',
  'transfers',
  'batches',
)`
  ordering as materialized (
    select t.* from jsonb_to_recordset(:transfers::jsonb) as t (message_id text,
      end_to_end_id text, position int, subject_id uuid, amount_pence bigint,
      creditor_encrypted bytea, reference text)
    where t.subject_id in (select ${guard}.${column} from ${guard})
  ),
  batch as (
    insert into transfer_batch (merchant_id, environment, message_id, subject, execution_date,
      debtor, on_behalf_of, due_at, created_at)
    select :merchantId, :environment, b.message_id, b.subject,
      (clock_timestamp() at time zone 'Europe/London')::date,
      jsonb_build_object('sortCode', a.sort_code, 'accountNumber', a.account_number,
        'name', a.account_name),
      b.on_behalf_of, clock_timestamp(), date_trunc('milliseconds', clock_timestamp())
    from jsonb_to_recordset(:batches::jsonb) as b (message_id text, subject text,
      on_behalf_of text)
    join collecting_account a on a.environment = :environment
    where b.message_id in (select o.message_id from ordering o)
    returning message_id
  ),
  transfer as (
    insert into transfer (merchant_id, environment, end_to_end_id, message_id, position,
      subject_id, amount_pence, creditor_encrypted, reference)
    select :merchantId, :environment, o.end_to_end_id, o.message_id, o.position, o.subject_id,
      o.amount_pence, o.creditor_encrypted, o.reference
    from ordering o
  )`;

export const transferValues = (batches: readonly BatchDraft[]) => ({
  batches: JSON.stringify(
    batches.map(({ messageId, subject, onBehalfOf }) => ({
      message_id: messageId,
      subject,
      on_behalf_of: onBehalfOf,
    })),
  ),
  transfers: JSON.stringify(
    batches.flatMap(({ messageId, transfers }) =>
      transfers.map((transfer, position) => ({
        message_id: messageId,
        end_to_end_id: transfer.endToEndId,
        position,
        subject_id: transfer.subjectId,
        amount_pence: transfer.amountPence.toString(),
        creditor_encrypted: bytesToHex(transfer.creditorEncrypted),
        reference: transfer.reference,
      })),
    ),
  ),
});

/** How a transfer has ended, for the statement that books it. */
export type EndedTransfer = {
  readonly resourceId: string;
  readonly endToEndId: string;
  /** RETURNED: it has left and is back. */
  readonly outcome: TransferOutcome;
};

export type TransferOutcome = 'SETTLED' | 'REJECTED' | 'RETURNED';

/** Table expressions for the statement that books how transfers ended; the value is `:ended`. */
export const endTransfersCtes = (guard: string, column: string) => sql(
  'merchantId',
  'environment',
  'ended',
)`
  ended_transfer as (
    update transfer t set outcome = e.outcome
    from jsonb_to_recordset(:ended::jsonb) as e (resource_id uuid, end_to_end_id text, outcome text)
    where t.merchant_id = :merchantId and t.environment = :environment
      and t.end_to_end_id = e.end_to_end_id
      and e.resource_id in (select ${guard}.${column} from ${guard})
  )`;

export const endedValue = (ended: readonly EndedTransfer[]): string =>
  JSON.stringify(
    ended.map(({ resourceId, endToEndId, outcome }) => ({
      resource_id: resourceId,
      end_to_end_id: endToEndId,
      outcome,
    })),
  );

/**
 * The account that payable money of a store is settled to: the bank account that it has now, as `b`. A
 * store without one is settled by itself.
 */
export const settlementAccountSql = (storeId: string): string =>
  `coalesce(b.sort_code || b.account_number, ${storeId}::text)`;

/**
 * Beside `f`, an entry or a line: the open payout that holds what it follows, as `open`. That keeps its
 * account when the store's changes, so what takes money back from it, or gives it back, belongs there.
 */
export const openPayoutSql = sql('merchantId', 'environment')`
     left join lateral (
       select p.sort_code, p.account_number, p.account_name from ledger_entry o
       join payout_line l on l.merchant_id = :merchantId and l.environment = :environment
         and l.entry_id = o.entry_id and l.state = 'CURRENT'
       join payout p on p.merchant_id = :merchantId and p.environment = :environment
         and p.payout_id = l.payout_id and p.status = 'PENDING'
       where f.reason in ('PAYMENT_REVERSED', 'FEE_RETURNED', 'REFUND_FAILED', 'REFUND_RETURNED',
           'TRANSFER_DIFFERENCE')
         and o.merchant_id = :merchantId and o.environment = :environment
         and o.resource_id = f.resource_id and o.attempt_id is not distinct from f.attempt_id
         and o.account = 'MERCHANT_PAYABLE'
       order by o.entry_id limit 1) open on true`;

/**
 * A condition on `ledger_entry e`: it belongs to the payable balance and is in no payout yet. It reads what
 * is newer than the cursor and looks each of it up, never the whole account. For that `coalesce` is inside:
 * around a value, row-level security keeps it from the index. And `offset` keeps the lookup from a join.
 */
export const isUnattachedSql = sql('merchantId', 'environment')`
   e.merchant_id = :merchantId and e.environment = :environment
       and e.account = 'MERCHANT_PAYABLE' and e.reason not like 'PAYOUT%'
       and e.written_in >= (select coalesce(max(c.up_to_written_in), '0'::xid8)
         from payout_cursor c
         where c.merchant_id = :merchantId and c.environment = :environment)
       and not exists (select from payout_line l where l.merchant_id = :merchantId
         and l.environment = :environment and l.entry_id = e.entry_id offset 0)`;

/** Payable money that no open payout holds: entries in none yet, and lines that a failed one released. */
export const looseCte = sql('merchantId', 'environment')`
   loose as materialized (
     select coalesce(open.sort_code || open.account_number, ${settlementAccountSql('f.store_id')})
         as account, f.amount_pence
     from (
       select e.store_id, -e.amount_pence as amount_pence, e.reason, e.resource_id, e.attempt_id
       from ledger_entry e
       where ${isUnattachedSql}
       union all
       select l.store_id, l.amount_pence, l.reason, l.resource_id, l.attempt_id from payout_line l
       where l.merchant_id = :merchantId and l.environment = :environment and l.state = 'RELEASED') f
     left join store_bank_account b on b.merchant_id = :merchantId
       and b.environment = :environment and b.store_id = f.store_id${openPayoutSql})`;

/**
 * What is payable, by settlement account: its open payout and what none holds yet, less what is held. A
 * payout that was handed over nets to nothing with its lines.
 */
export const payableCtes = sql('merchantId', 'environment')`
   ${looseCte},
   payable as materialized (
     select s.account, sum(s.amount_pence)::bigint as pence
     from (
       select p.sort_code || p.account_number as account, p.amount_pence from payout p
       where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'PENDING'
       union all select loose.account, loose.amount_pence from loose
       union all
       select ${settlementAccountSql('h.store_id')}, -h.amount_pence from held_payment h
       join attempt a on a.merchant_id = :merchantId and a.environment = :environment
         and a.attempt_id = h.attempt_id and a.status = 'COMPLETED' and a.is_settled
       left join store_bank_account b on b.merchant_id = :merchantId
         and b.environment = :environment and b.store_id = h.store_id
       where h.merchant_id = :merchantId and h.environment = :environment) s
     group by s.account)`;
