import type { Account, AccountConsent, Consent, KeyClaim } from '#simulator/bank/model.ts';
import type { StatusReason } from '#simulator/bank/payments/schedule.ts';
import { type Connection, jsonOfRows } from './database.ts';
import { revoking } from './notifications.ts';
import { remember } from './remember.ts';

const tables = { payment: 'simulator.consent', accounts: 'simulator.account_consent' } as const;

type Kind = keyof typeof tables;

type Decision = {
  readonly bankId: string;
  readonly consentId: string;
  readonly at: number;
  readonly status: 'AUTH' | 'RJCT';
};

export const consentStore = (database: Connection) => {
  const consents = remember((bankId, id) => database.row<Consent>(selectConsent, bankId, id));
  const change = (id: string, text: string, ...values: readonly unknown[]): Promise<number> =>
    database.change(text, ...values).finally(() => consents.forget(id));
  return {
    findConsent: consents.find,
    // Somebody else has changed it.
    forgetConsent: consents.forget,
    // False when the key was claimed before: nothing is written then.
    createConsent: async (consent: Consent, claim: KeyClaim): Promise<boolean> => {
      const { bankId, clientId, key, bodyHash } = claim;
      const made = await database.change(
        insertConsent,
        ...[bankId, clientId, key, bodyHash, consent.id, new Date(consent.createdAt)],
        ...[consent.wireData, consent.wireRisk, consent.amountPence],
        ...[consent.endToEndIdentification, consent.creditor, consent.reference],
        ...[consent.wantsRefundAccount, consent.version],
      );
      return made === 1;
    },
    // False when the consent no longer waits for a decision, as with `decide` and `decideAccounts`.
    recordLogin: async (
      kind: Kind,
      { bankId, id }: Pick<Consent, 'bankId' | 'id'>,
      login: string,
      interactionId: string,
      accounts: readonly Account[],
    ): Promise<boolean> => {
      const rows = accounts.map((each) => ({ ...each, openedAt: new Date(each.openedAt) }));
      const values = [bankId, id, login, interactionId, jsonOfRows(rows)];
      return (await change(id, updateLogin(tables[kind]), ...values)) === 1;
    },
    decide: async (
      { bankId, consentId, at, status }: Decision,
      accountId: string | null,
      reason: StatusReason | null,
    ): Promise<boolean> => {
      const values = [bankId, consentId, status, reason, accountId, new Date(at)];
      return (await change(consentId, decideConsent, ...values)) === 1;
    },
    // The time of the first submission, and whether this is it.
    noteSubmission: async ({ bankId, id }: Consent, at: number) => {
      const values = [bankId, id, new Date(at)];
      const earlier = await database.row<{ before?: number }>(noteSubmission, ...values);
      return { firstAt: earlier?.before ?? at, isFirst: earlier?.before === undefined };
    },
  };
};

export const accountConsentStore = (database: Connection) => ({
  createAccountConsent: (consent: AccountConsent) =>
    database.change(
      insertAccountConsent,
      ...[consent.bankId, consent.id, consent.clientId, consent.version, consent.permissions],
      ...[consent.expiresAt, consent.transactionsFrom, consent.transactionsTo].map(dateOf),
      new Date(consent.createdAt),
    ),
  findAccountConsent: (bankId: string, id: string) =>
    database.row<AccountConsent>(selectAccountConsent, bankId, id),
  decideAccounts: async (
    { bankId, consentId, at, status }: Decision,
    accountIds: readonly string[],
  ): Promise<boolean> => {
    const values = [bankId, consentId, status, accountIds, new Date(at)];
    return (await database.change(decideAccountConsent, ...values)) === 1;
  },
  listAuthorised: (bankId: string, login: string) =>
    database.rows<AccountConsent>(selectAuthorised, bankId, login),
  revokeAccountConsent: (bankId: string, id: string, at: number) =>
    database.change(revokeConsent, bankId, id, new Date(at)),
  deleteAccountConsent: (bankId: string, id: string) => database.change(deleteConsent, bankId, id),
  // How many calls of this day on this subject there were, this one included.
  countUnattended: async (
    bankId: string,
    consentId: string,
    subject: string,
    at: number,
  ): Promise<number> => {
    const values = [bankId, consentId, subject, new Date(at)];
    return (await database.row<{ calls: number }>(countCall, ...values))?.calls ?? 1;
  },
});

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));

const insertConsent = `
  with claimed as (
    insert into simulator.idempotency_key
      (bank_id, client_id, operation, key, body_hash, resource_id, created_at)
    values ($1, $2, 'consent', $3, $4, $5, $6)
    on conflict do nothing
    returning resource_id
  )
  insert into simulator.consent
    (bank_id, id, client_id, wire_data, wire_risk, amount_pence, end_to_end_identification,
     creditor, reference, wants_refund_account, version, status, created_at,
     status_updated_at)
  select $1, claimed.resource_id, $2, $7, $8, $9, $10, $11, $12, $13, $14, 'AWAU', $6, $6
  from claimed`;

const selectConsent = `
  select consent.*, case when account.id is not null then json_build_object(
    'id', account.id, 'holderName', account.holder_name, 'sortCode', account.sort_code,
    'accountNumber', account.account_number, 'mayOverdraw', account.may_overdraw) end as debtor
  from simulator.consent
  left join simulator.account
    on account.bank_id = consent.bank_id and account.id = consent.debtor_account_id
  where consent.bank_id = $1 and consent.id = $2`;

const insertAccountConsent = `
  insert into simulator.account_consent
    (bank_id, id, client_id, version, permissions, expires_at, transactions_from, transactions_to,
     status, created_at, status_updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'AWAU', $9, $9)`;

const selectAccountConsent = `
  select * from simulator.account_consent where bank_id = $1 and id = $2 and not is_deleted`;

// A customer who logs in has accounts from then on.
const updateLogin = (table: string): string => `
  with opened as (
    insert into simulator.account
    select * from json_populate_recordset(null::simulator.account, $5) on conflict do nothing
  )
  update ${table} set login = $3, interaction_id = $4
  where bank_id = $1 and id = $2 and status = 'AWAU'`;

const decideConsent = `
  update simulator.consent
  set status = $3, status_reason = $4, debtor_account_id = $5, status_updated_at = $6
  where bank_id = $1 and id = $2 and status = 'AWAU'`;

const decideAccountConsent = `
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

const deleteConsent = `
  update simulator.account_consent set is_deleted = true
  where bank_id = $1 and id = $2 and not is_deleted`;

const countCall = `
  insert into simulator.unattended_call as call (bank_id, consent_id, subject, day, calls)
  values ($1, $2, $3, ($4::timestamptz at time zone 'UTC')::date, 1)
  on conflict (bank_id, consent_id, subject, day) do update set calls = call.calls + 1
  returning calls`;

const noteSubmission = `
  update simulator.consent
  set first_submission_at = coalesce(consent.first_submission_at, $3)
  from (
    select first_submission_at from simulator.consent where bank_id = $1 and id = $2 for update
  ) as earlier
  where consent.bank_id = $1 and consent.id = $2
  returning earlier.first_submission_at as before`;
