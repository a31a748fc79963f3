import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import { isPayoutHeldSql } from '#modules/credits/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import type { TransferOutcome } from '#modules/transfers/index.ts';
import { earliestDue, tenantsFromAnywhere } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff, putOffRows, stuckRows } from '#platform/database/stuck-rows.ts';
import type { Payout, SettlementPeriod } from '../payout.ts';
import type { DueTenant } from './attach-lines.ts';

type PayoutRow = DueTenant & {
  readonly payout_id: string;
  readonly status: Payout['status'];
  readonly version: number;
  readonly reference: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly account_name: string;
  readonly amount_pence: bigint;
  readonly end_to_end_id: string | null;
  readonly parts: readonly {
    readonly end_to_end_id: string;
    readonly amount_pence: string;
    readonly outcome: TransferOutcome | null;
  }[];
  readonly store_id: string | null;
  readonly business_name: string;
  readonly settlement_period: SettlementPeriod;
  readonly cut_off_minutes: number;
  readonly now: Date;
};

const columns = sql()`p.merchant_id, p.environment, p.payout_id, p.status, p.version, p.reference,
  p.sort_code, p.account_number, p.account_name, p.amount_pence, p.end_to_end_id, m.business_name,
  w.settlement_period, w.cut_off_minutes,
  (select coalesce(jsonb_agg(jsonb_build_object('end_to_end_id', t.end_to_end_id,
      'amount_pence', t.amount_pence::text, 'outcome', t.outcome) order by t.position), '[]')
    from transfer f join transfer t on t.merchant_id = f.merchant_id
      and t.environment = f.environment and t.message_id = f.message_id
    where f.merchant_id = p.merchant_id and f.environment = p.environment
      and f.end_to_end_id = p.end_to_end_id) as parts,
  (select l.store_id from payout_line l
    where l.merchant_id = p.merchant_id and l.environment = p.environment
      and l.payout_id = p.payout_id order by l.payout_id, l.entry_id limit 1) as store_id,
  date_trunc('milliseconds', clock_timestamp()) + clock.moved as now`;

/** Of a transfer that ended before its outcome was kept. */
const endedBefore: Readonly<Record<Payout['status'], TransferOutcome | null>> = {
  ...{ PENDING: null, PROCESSING: null, SETTLED: 'SETTLED', FAILED: 'REJECTED' },
};

export const payoutOf = (row: PayoutRow): Payout => ({
  tenant: tenantOf(row),
  payoutId: row.payout_id,
  status: row.status,
  version: row.version,
  reference: row.reference,
  account: {
    sortCode: row.sort_code,
    accountNumber: row.account_number,
    name: row.account_name,
  },
  amountPence: pence(row.amount_pence) as Pence,
  endToEndId: row.end_to_end_id,
  parts: row.parts.map((part) => ({
    endToEndId: part.end_to_end_id,
    amountPence: pence(BigInt(part.amount_pence)),
    outcome: part.outcome ?? endedBefore[row.status],
  })),
  storeId: row.store_id,
  merchantName: row.business_name,
  periodRule: { period: row.settlement_period, cutOffMinutes: row.cut_off_minutes },
  now: row.now,
});

export const readPayout = statement<Tenant & { readonly payoutId: string }, PayoutRow>(
  'payout_read',
  sql('merchantId', 'environment', 'payoutId')`
   select ${columns} from payout p cross join (select ${clockOffsetSql} as moved) clock
   join merchant m on m.merchant_id = :merchantId
   join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = :payoutId`,
);

/**
 * Refunds of its account that the balance could pay go first. One that waits for something else, or is of
 * another account, holds no payout; money of its account that a debit may take does (PAYOUT-12). Of a
 * suspended merchant all is held (ACCESS-12).
 */
export const mayClose = (
  payout: string,
  switches: string,
) => `${payout}.status = 'PENDING' and not ${switches}.transfer_hub_paused
     and ${switches}.suspension_id is null
     and not ${isPayoutHeldSql(payout)}
     and not exists (select from refund r
       join store_bank_account b on b.merchant_id = r.merchant_id
         and b.environment = r.environment and b.store_id = r.store_id
       join attempt a on a.merchant_id = r.merchant_id and a.environment = r.environment
         and a.attempt_id = r.attempt_id
       where r.merchant_id = ${payout}.merchant_id and r.environment = ${payout}.environment
         and r.status in ('INITIATED', 'PENDING') and r.method = 'PAY_BY_BANK'
         and r.step = 'WAITING' and b.sort_code = ${payout}.sort_code
         and b.account_number = ${payout}.account_number
         and (r.waits_for is null or r.waits_for = 'BALANCE'
           or r.waits_for = 'SETTLEMENT' and a.is_settled))`;

const isNotPaused = isNotPutOff('p', 'payout_id', 'CLOSE_PAYOUT');

export const closeDueAt = earliestDue({
  at: 'p.due_at',
  from: `payout p
     join merchant_switch w on w.merchant_id = p.merchant_id and w.environment = p.environment`,
  and: `${mayClose('p', 'w')} and ${isNotPaused}`,
});

export const findDueTenants = statement<
  { readonly from: string; readonly limit: number },
  DueTenant
>(
  'payout_due_tenants',
  tenantsFromAnywhere(`exists (select from payout p
       where p.merchant_id = w.merchant_id and p.environment = w.environment
         and p.due_at <= statement_timestamp() and ${mayClose('p', 'w')}
         and ${isNotPaused})`),
);

export type DuePayout = DueTenant & { readonly payout_id: string };

export const listDuePayouts = statement<Tenant, DuePayout>(
  'payout_list_due',
  sql('merchantId', 'environment')`
   select p.merchant_id, p.environment, p.payout_id from payout p
   join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.due_at <= statement_timestamp() and ${mayClose('p', 'w')}
     and ${isNotPaused}
   order by p.due_at`,
);

export const readPeriod = statement<
  Tenant,
  {
    readonly now: Date;
    readonly settlement_period: SettlementPeriod;
    readonly cut_off_minutes: number;
  }
>(
  'payout_period',
  sql('merchantId', 'environment')`
   select date_trunc('milliseconds', clock_timestamp()) + ${clockOffsetSql} as now,
     settlement_period, cut_off_minutes
   from merchant_switch where merchant_id = :merchantId and environment = :environment`,
);

export const nextDue = statement<Tenant & { readonly after: Date }, { due_at: Date | null }>(
  'payout_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select min(period_ends_business_at) as due_at from payout
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'
     and period_ends_business_at > :after`,
);

export const recomputeDue = statement<Tenant, never>(
  'payout_tenant_recompute',
  sql('merchantId', 'environment')`
   update payout p
   set due_at = p.period_ends_business_at - clock_offset(:merchantId::uuid, :environment::text)
   where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'PENDING'
     and p.due_at <> p.period_ends_business_at
       - clock_offset(:merchantId::uuid, :environment::text)`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing' },
);

export const listOpenTransfers = statement<Tenant, { readonly end_to_end_id: string }>(
  'payout_open_transfers',
  sql('merchantId', 'environment')`
   select t.end_to_end_id from (
     select end_to_end_id, updated_at from payout
     where merchant_id = :merchantId and environment = :environment and end_to_end_id is not null
       and status in ('PROCESSING', 'SETTLED') order by updated_at desc limit 100) p
   join transfer f on f.merchant_id = :merchantId and f.environment = :environment
     and f.end_to_end_id = p.end_to_end_id
   join transfer t on t.merchant_id = :merchantId and t.environment = :environment
     and t.message_id = f.message_id`,
);

type Period = Tenant & {
  readonly payoutId: string;
  readonly version: number;
  readonly periodEndsAt: Date;
};

/** Nothing to pay, or less: the period continues with the next entries. */
export const carryForward = statement<Period, never>(
  'payout_carry_forward',
  sql('periodEndsAt', 'merchantId', 'environment', 'payoutId', 'version')`
   update payout set period_ends_business_at = :periodEndsAt::timestamptz,
     due_at = :periodEndsAt::timestamptz - clock_offset(:merchantId::uuid, :environment::text),
     version = version + 1
   where merchant_id = :merchantId and environment = :environment and payout_id = :payoutId
     and status = 'PENDING' and version = :version`,
  { guardedBy: 'version and status as read' },
);

/** Payouts whose settlement period is over. */
export const stuckPayouts = [
  stuckRows({
    ...{ kind: 'CLOSE_PAYOUT', merchantId: 'w.merchant_id', workId: 'w.payout_id' },
    from: `payout w
       join merchant_switch o on o.merchant_id = w.merchant_id and o.environment = w.environment`,
    where: mayClose('w', 'o'),
    ...{ dueAt: 'w.due_at', pausedAs: 'CLOSE_PAYOUT' },
  }),
  // Of a merchant whose money cannot be placed.
  putOffRows('FILL_PAYOUT', 'FILL_PAYOUT'),
];
