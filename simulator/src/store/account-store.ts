import type { Movement, Party } from '#simulator/bank/accounts/model.ts';
import type { Schedule } from '#simulator/bank/payments/schedule.ts';
import type { Account, AccountInformationStore, BankStore } from '#simulator/bank/ports.ts';
import type { Pool } from './open-pool.ts';

type AccountStore = Pick<BankStore, 'openAccounts' | 'accountsOf' | 'accountsById' | 'balanceOf'>;

export const accountStore = (pool: Pool): AccountStore => ({
  openAccounts: async (accounts) => {
    await pool.query(insertAccounts, [JSON.stringify(accounts.map(rowOf))]);
  },
  accountsOf: async (bankId, login) => {
    const { rows } = await pool.query<AccountRow>(selectAccounts, [bankId, login]);
    return rows.map(accountOf);
  },
  accountsById: async (bankId, ids) => {
    const { rows } = await pool.query<AccountRow>(selectAccountsById, [bankId, ids]);
    return rows.map(accountOf);
  },
  balanceOf: async (account, now) => {
    const { sortCode, accountNumber } = account;
    const values = [account.bankId, account.id, new Date(now), sortCode, accountNumber];
    const { rows } = await pool.query<{ moved: bigint }>(sumEntries, values);
    return account.openingPence + (rows[0]?.moved ?? 0n);
  },
});

const insertAccounts = `
  insert into simulator.account
  select * from json_populate_recordset(null::simulator.account, $1)
  on conflict do nothing`;

const selectAccounts = `
  select * from simulator.account where bank_id = $1 and login = $2 order by position`;

const selectAccountsById = `
  select * from simulator.account where bank_id = $1 and id = any($2::text[]) order by position`;

// What its payments took, and what payments and transfers of others brought.
const sumEntries = `
  select (coalesce(sum(case entry.kind when 'debit' then -entry.amount_pence
    else entry.amount_pence end), 0) + (
      select coalesce(sum(case direction when 'CRDT' then amount_pence else -amount_pence end), 0)
      from simulator.account_entry
      where sort_code = $4 and account_number = $5 and booked_at <= $3
    ))::bigint as moved
  from simulator.ledger_entry as entry
  join simulator.payment
    on payment.bank_id = entry.bank_id and payment.id = entry.payment_id
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  where entry.bank_id = $1 and entry.account_id = $2
    and payment.accepted_at + entry.effective_after_ms * interval '1 millisecond'
      <= $3::timestamptz + consent.clock_offset_ms * interval '1 millisecond'`;

export type AccountRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly login: string;
  readonly position: number;
  readonly label: string;
  readonly holder_name: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly opening_pence: bigint | number;
  readonly may_overdraw: boolean;
  readonly opened_at: Date | string;
};

export const accountOf = (row: AccountRow): Account => ({
  bankId: row.bank_id,
  id: row.id,
  login: row.login,
  position: row.position,
  label: row.label,
  holderName: row.holder_name,
  sortCode: row.sort_code,
  accountNumber: row.account_number,
  openingPence: BigInt(row.opening_pence),
  mayOverdraw: row.may_overdraw,
  openedAt: new Date(row.opened_at).getTime(),
});

const rowOf = (account: Account) => ({
  bank_id: account.bankId,
  id: account.id,
  login: account.login,
  position: account.position,
  label: account.label,
  holder_name: account.holderName,
  sort_code: account.sortCode,
  account_number: account.accountNumber,
  opening_pence: Number(account.openingPence),
  may_overdraw: account.mayOverdraw,
  opened_at: new Date(account.openedAt),
});

// A payment that its bank never calls settled is booked after so long all the same.
const bookedAfterMs = 2_000;
const settles = new Set(['ACSC', 'ACCC', 'ACWP']);

export const movementStore = (pool: Pool): Pick<AccountInformationStore, 'movementsOf'> => ({
  movementsOf: async (account, now) => {
    const { bankId, id, sortCode, accountNumber } = account;
    const [paid, booked] = await Promise.all([
      pool.query<PaidRow>(selectPaid, [bankId, id, new Date(now)]),
      pool.query<BookedRow>(selectBooked, [sortCode, accountNumber, new Date(now)]),
    ]);
    return [...paid.rows.map((row) => movementOfPayment(row, now)), ...booked.rows.map(movementOf)];
  },
});

// Money that this account's customer paid, and what came back of it.
const selectPaid = `
  select entry.payment_id, entry.kind, entry.amount_pence, entry.effective_after_ms,
    payment.accepted_at, payment.schedule, consent.creditor, consent.reference,
    consent.clock_offset_ms
  from simulator.ledger_entry as entry
  join simulator.payment
    on payment.bank_id = entry.bank_id and payment.id = entry.payment_id
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  where entry.bank_id = $1 and entry.account_id = $2
    and payment.accepted_at + entry.effective_after_ms * interval '1 millisecond'
      <= $3::timestamptz + consent.clock_offset_ms * interval '1 millisecond'`;

// Everything else: payments to this account, refunds, payouts, deposits.
const selectBooked = `
  select id, direction, kind, amount_pence, counterparty, reference, stated_at
  from simulator.account_entry
  where sort_code = $1 and account_number = $2 and booked_at <= $3`;

type PaidRow = {
  readonly payment_id: string;
  readonly kind: 'debit' | 'return';
  readonly amount_pence: bigint;
  readonly effective_after_ms: bigint;
  readonly accepted_at: Date;
  readonly schedule: Schedule;
  readonly creditor: Party;
  readonly reference: string;
  readonly clock_offset_ms: bigint;
};

const movementOfPayment = (row: PaidRow, now: number): Movement => {
  const effectiveMs = Number(row.effective_after_ms);
  const settled = row.schedule.find(({ status }) => settles.has(status))?.afterMs;
  const ageMs = now + Number(row.clock_offset_ms) - row.accepted_at.getTime();
  const isReturn = row.kind === 'return';
  return {
    id: `${row.payment_id}-${row.kind}`,
    at: row.accepted_at.getTime() + effectiveMs,
    isBooked: isReturn || ageMs >= (settled ?? effectiveMs + bookedAfterMs),
    direction: isReturn ? 'CRDT' : 'DBIT',
    kind: isReturn ? 'return' : 'payment',
    amountPence: row.amount_pence,
    reference: row.reference,
    counterparty: row.creditor,
  };
};

type BookedRow = {
  readonly id: bigint;
  readonly direction: Movement['direction'];
  readonly kind: Movement['kind'];
  readonly amount_pence: bigint;
  readonly counterparty: Party;
  readonly reference: string;
  readonly stated_at: Date;
};

const movementOf = (row: BookedRow): Movement => ({
  id: `entry-${row.id}`,
  at: row.stated_at.getTime(),
  isBooked: true,
  direction: row.direction,
  kind: row.kind,
  amountPence: row.amount_pence,
  reference: row.reference,
  counterparty: row.counterparty,
});
