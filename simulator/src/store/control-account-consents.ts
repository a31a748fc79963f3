import { revoking } from './notification-store.ts';
import type { Pool } from './open-pool.ts';

export const consentChanges = ['revoke', 'demand-login', 'end-access', 'end-refresh'] as const;
export type ConsentChange = (typeof consentChanges)[number];

type ControlledConsent = {
  readonly bankId: string;
  readonly consentId: string;
  readonly version: string;
  readonly status: string;
  readonly login: string | null;
  readonly accountIds: readonly string[];
  readonly isDeleted: boolean;
};

// What a customer, a bank or time does to consents.
export const changeAccountConsents = async (
  pool: Pool,
  consentIds: readonly string[],
  change: ConsentChange,
  now: number,
): Promise<number> => {
  const values = change === 'revoke' ? [consentIds, new Date(now)] : [consentIds];
  return (await pool.query(statements[change], values)).rowCount ?? 0;
};

const deleteTokens = (models: string): string => `
  delete from simulator.oidc_record
  where model in (${models}) and payload->>'accountId' = any($1::text[])`;

const statements: Readonly<Record<ConsentChange, string>> = {
  revoke: revoking(
    `update simulator.account_consent set status = 'CANC', status_updated_at = $2
      where id = any($1::text[]) and status = 'AUTH'`,
  ),
  'demand-login': `
    update simulator.account_consent set demands_login = true where id = any($1::text[])`,
  'end-access': deleteTokens(`'AccessToken'`),
  'end-refresh': deleteTokens(`'AccessToken', 'RefreshToken'`),
};

export const listAccountConsents = async (
  pool: Pool,
  consentIds: readonly string[],
): Promise<readonly ControlledConsent[]> => {
  const { rows } = await pool.query<Row>(selectConsents, [consentIds]);
  return rows.map((row) => ({
    bankId: row.bank_id,
    consentId: row.id,
    version: row.version,
    status: row.status,
    login: row.login,
    accountIds: row.account_ids,
    isDeleted: row.is_deleted,
  }));
};

const selectConsents = `
  select bank_id, id, version, status, login, account_ids, is_deleted
  from simulator.account_consent where id = any($1::text[]) order by created_at`;

type Row = {
  readonly bank_id: string;
  readonly id: string;
  readonly version: string;
  readonly status: string;
  readonly login: string | null;
  readonly account_ids: readonly string[];
  readonly is_deleted: boolean;
};

export const advanceAccountClocks = async (
  pool: Pool,
  consentIds: readonly string[],
  milliseconds: number,
): Promise<number> => (await pool.query(advance, [consentIds, milliseconds])).rowCount ?? 0;

const advance = `
  update simulator.account_consent
  set clock_offset_ms = clock_offset_ms + $2 where id = any($1::text[])`;
