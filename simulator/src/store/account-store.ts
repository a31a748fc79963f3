import type { Account, BankStore } from '#simulator/bank/ports.ts';
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
