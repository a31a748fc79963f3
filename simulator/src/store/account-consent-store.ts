import type { AccountConsent, AccountDecision } from '#simulator/bank/accounts/model.ts';
import type { AccountInformationStore } from '#simulator/bank/ports.ts';
import { revoking } from './notification-store.ts';
import type { Pool } from './open-pool.ts';

type Store = Omit<AccountInformationStore, 'accountsById' | 'movementsOf'>;

export const accountConsentStore = (pool: Pool): Store => ({
  createAccountConsent: async (consent) => {
    await pool.query(insertConsent, [
      ...[consent.bankId, consent.id, consent.clientId, consent.version, consent.permissions],
      ...[dateOf(consent.expiresAt), dateOf(consent.transactionsFrom)],
      ...[dateOf(consent.transactionsTo), consent.status, new Date(consent.createdAt)],
    ]);
  },
  findAccountConsent: async (bankId, id) => {
    const { rows } = await pool.query<ConsentRow>(selectConsent, [bankId, id]);
    return rows[0] && consentOf(rows[0]);
  },
  recordAccountLogin: async (consent, login, interactionId) => {
    const values = [consent.bankId, consent.id, login, interactionId];
    return (await pool.query(updateLogin, values)).rowCount === 1;
  },
  decideAccounts: (decision) => decide(pool, decision),
  listAuthorised: async (bankId, login) => {
    const { rows } = await pool.query<ConsentRow>(selectAuthorised, [bankId, login]);
    return rows.map(consentOf);
  },
  revokeAccountConsent: async (bankId, id, at) =>
    (await pool.query(revokeConsent, [bankId, id, new Date(at)])).rowCount === 1,
  deleteAccountConsent: async (bankId, id) => {
    const { rows } = await pool.query<{ found: boolean }>(deleteConsent, [bankId, id]);
    return rows[0]?.found === true;
  },
  countUnattended: async ({ bankId, consentId, subject, at }) => {
    const values = [bankId, consentId, subject, new Date(at)];
    const { rows } = await pool.query<{ calls: number }>(countCall, values);
    return rows[0]?.calls ?? 1;
  },
});

const decide = async (pool: Pool, decision: AccountDecision): Promise<boolean> => {
  const { bankId, consentId, at, outcome } = decision;
  const ids = outcome.status === 'AUTH' ? outcome.accountIds : [];
  const values = [bankId, consentId, outcome.status, ids, new Date(at)];
  return (await pool.query(decideConsent, values)).rowCount === 1;
};

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));

const insertConsent = `
  insert into simulator.account_consent
    (bank_id, id, client_id, version, permissions, expires_at, transactions_from, transactions_to,
     status, created_at, status_updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`;

const selectConsent = `
  select * from simulator.account_consent where bank_id = $1 and id = $2 and not is_deleted`;

const updateLogin = `
  update simulator.account_consent set login = $3, interaction_id = $4
  where bank_id = $1 and id = $2 and status = 'AWAU' and not is_deleted`;

const decideConsent = `
  update simulator.account_consent
  set status = $3, account_ids = $4, status_updated_at = $5
  where bank_id = $1 and id = $2 and status = 'AWAU' and not is_deleted`;

const selectAuthorised = `
  select * from simulator.account_consent
  where bank_id = $1 and login = $2 and status = 'AUTH' and not is_deleted
  order by created_at desc limit 50`;

// The customer revokes it at the bank: its tokens stay, and open nothing.
const revokeConsent = revoking(
  `update simulator.account_consent set status = 'CANC', status_updated_at = $3
    where bank_id = $1 and id = $2 and status = 'AUTH' and not is_deleted`,
);

// The client deletes it: with its tokens.
const deleteConsent = `
  with deleted as (
    update simulator.account_consent set is_deleted = true
    where bank_id = $1 and id = $2 and not is_deleted
    returning id
  ), gone as (
    delete from simulator.oidc_record
    where bank_id = $1 and model in ('AccessToken', 'RefreshToken')
      and payload->>'accountId' in (select id from deleted)
  )
  select exists (select from deleted) as found`;

const countCall = `
  insert into simulator.unattended_call as call (bank_id, consent_id, subject, day, calls)
  values ($1, $2, $3, ($4::timestamptz at time zone 'UTC')::date, 1)
  on conflict (bank_id, consent_id, subject, day) do update set calls = call.calls + 1
  returning calls`;

type ConsentRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly client_id: string;
  readonly version: AccountConsent['version'];
  readonly permissions: readonly string[];
  readonly expires_at: Date | null;
  readonly transactions_from: Date | null;
  readonly transactions_to: Date | null;
  readonly status: AccountConsent['status'];
  readonly created_at: Date;
  readonly status_updated_at: Date;
  readonly login: string | null;
  readonly interaction_id: string | null;
  readonly account_ids: readonly string[];
  readonly demands_login: boolean;
  readonly clock_offset_ms: bigint;
};

const consentOf = (row: ConsentRow): AccountConsent => ({
  bankId: row.bank_id,
  id: row.id,
  clientId: row.client_id,
  version: row.version,
  permissions: row.permissions,
  expiresAt: row.expires_at?.getTime(),
  transactionsFrom: row.transactions_from?.getTime(),
  transactionsTo: row.transactions_to?.getTime(),
  status: row.status,
  createdAt: row.created_at.getTime(),
  statusUpdatedAt: row.status_updated_at.getTime(),
  login: row.login ?? undefined,
  interactionId: row.interaction_id ?? undefined,
  accountIds: row.account_ids,
  demandsLogin: row.demands_login,
  clockOffsetMs: Number(row.clock_offset_ms),
});
