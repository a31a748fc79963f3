import type { StandardVersion } from '#simulator/bank/accounts/model.ts';
import type { BankStore, Consent, Decision } from '#simulator/bank/ports.ts';
import { type AccountRow, accountOf } from './account-store.ts';
import type { Pool } from './open-pool.ts';

type ConsentStore = Pick<
  BankStore,
  'createConsent' | 'findConsent' | 'recordLogin' | 'decide' | 'noteSubmission'
>;

export const consentStore = (pool: Pool): ConsentStore => ({
  createConsent: async (consent, claim) => {
    const { rowCount } = await pool.query(insertConsent, [
      ...[claim.bankId, claim.clientId, claim.key, claim.bodyHash, consent.id],
      ...[new Date(consent.createdAt), consent.wireData, consent.wireRisk, consent.amountPence],
      ...[consent.endToEndIdentification, consent.creditor, consent.reference],
      ...[consent.wantsRefundAccount, consent.version],
    ]);
    return rowCount === 1;
  },
  findConsent: async (bankId, id) => {
    const { rows } = await pool.query<ConsentRow>(selectConsent, [bankId, id]);
    return rows[0] && consentOf(rows[0]);
  },
  recordLogin: async (consent, login, interactionId) => {
    const values = [consent.bankId, consent.id, login, interactionId];
    return (await pool.query(updateLogin, values)).rowCount === 1;
  },
  decide: (decision) => decide(pool, decision),
  noteSubmission: async (consent, at) => {
    const values = [consent.bankId, consent.id, new Date(at)];
    const { rows } = await pool.query<{ before: Date | null }>(noteSubmission, values);
    const before = rows[0]?.before ?? undefined;
    return { firstAt: before?.getTime() ?? at, isFirst: before === undefined };
  },
});

const decide = async (pool: Pool, decision: Decision): Promise<boolean> => {
  const { bankId, consentId, at, outcome } = decision;
  const account = outcome.status === 'AUTH' ? outcome.accountId : null;
  const reason = outcome.status === 'RJCT' ? outcome.reason : null;
  const values = [bankId, consentId, outcome.status, reason, account, new Date(at)];
  return (await pool.query(decideConsent, values)).rowCount === 1;
};

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
  select consent.*, row_to_json(account) as debtor
  from simulator.consent
  left join simulator.account
    on account.bank_id = consent.bank_id and account.id = consent.debtor_account_id
  where consent.bank_id = $1 and consent.id = $2`;

const updateLogin = `
  update simulator.consent set login = $3, interaction_id = $4
  where bank_id = $1 and id = $2 and status = 'AWAU'`;

const decideConsent = `
  update simulator.consent
  set status = $3, status_reason = $4, debtor_account_id = $5, status_updated_at = $6
  where bank_id = $1 and id = $2 and status = 'AWAU'`;

const noteSubmission = `
  update simulator.consent
  set first_submission_at = coalesce(consent.first_submission_at, $3)
  from (
    select first_submission_at from simulator.consent where bank_id = $1 and id = $2 for update
  ) as earlier
  where consent.bank_id = $1 and consent.id = $2
  returning earlier.first_submission_at as before`;

type ConsentRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly client_id: string;
  readonly version: StandardVersion;
  readonly wire_data: Consent['wireData'];
  readonly wire_risk: Consent['wireRisk'];
  readonly amount_pence: bigint;
  readonly end_to_end_identification: string;
  readonly creditor: Consent['creditor'];
  readonly reference: string;
  readonly wants_refund_account: boolean;
  readonly status: Consent['status'];
  readonly status_reason: Consent['statusReason'] | null;
  readonly created_at: Date;
  readonly status_updated_at: Date;
  readonly login: string | null;
  readonly interaction_id: string | null;
  readonly debtor: AccountRow | null;
  readonly clock_offset_ms: bigint;
};

const consentOf = (row: ConsentRow): Consent => ({
  bankId: row.bank_id,
  id: row.id,
  clientId: row.client_id,
  version: row.version,
  wireData: row.wire_data,
  wireRisk: row.wire_risk,
  amountPence: row.amount_pence,
  endToEndIdentification: row.end_to_end_identification,
  creditor: row.creditor,
  reference: row.reference,
  wantsRefundAccount: row.wants_refund_account,
  status: row.status,
  statusReason: row.status_reason ?? undefined,
  createdAt: row.created_at.getTime(),
  statusUpdatedAt: row.status_updated_at.getTime(),
  login: row.login ?? undefined,
  interactionId: row.interaction_id ?? undefined,
  debtor: row.debtor ? accountOf(row.debtor) : undefined,
  clockOffsetMs: Number(row.clock_offset_ms),
});
