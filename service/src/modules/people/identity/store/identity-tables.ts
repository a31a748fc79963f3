import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type IdentityTable, identityTable } from './identity-table.ts';

const times = {
  createdAt: ['created_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
} as const;

/** What the sign-in library stores, by the names of its models. */
export const identityTables: Readonly<Record<string, IdentityTable>> = {
  user: identityTable({
    table: 'person',
    columns: {
      id: ['person_id', 'uuid'],
      name: ['name', 'text'],
      email: ['email', 'text'],
      emailVerified: ['email_verified', 'boolean'],
      twoFactorEnabled: ['two_factor_enabled', 'boolean'],
      ...times,
    },
    filters: ['id', 'email'],
  }),
  session: identityTable({
    table: 'person_session',
    columns: {
      id: ['session_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      token: ['token_sha256', 'bytea'],
      expiresAt: ['expires_at', 'timestamptz'],
      ipAddress: ['address', 'text'],
      userAgent: ['user_agent', 'text'],
      // What counts as a fresh session is one whose person proved who they are a short while ago.
      createdAt: ['authenticated_at', 'timestamptz'],
      updatedAt: ['updated_at', 'timestamptz'],
    },
    filters: ['id', 'userId', 'token', 'expiresAt<', 'expiresAt>'],
  }),
  account: identityTable({
    table: 'person_credential',
    columns: {
      id: ['credential_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      providerId: ['provider', 'text'],
      accountId: ['account', 'text'],
      password: ['password_hash', 'text'],
      ...times,
    },
    filters: ['id', 'userId', 'providerId', 'accountId'],
  }),
  verification: identityTable({
    table: 'person_verification',
    columns: {
      id: ['verification_id', 'uuid'],
      identifier: ['identifier', 'text'],
      value: ['value', 'text'],
      expiresAt: ['expires_at', 'timestamptz'],
      ...times,
    },
    filters: ['id', 'id!', 'identifier', 'expiresAt<', 'createdAt<'],
  }),
  passkey: identityTable({
    table: 'person_passkey',
    columns: {
      id: ['passkey_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      name: ['name', 'text'],
      publicKey: ['public_key', 'text'],
      credentialID: ['credential', 'text'],
      counter: ['counter', 'bigint'],
      deviceType: ['device_type', 'text'],
      backedUp: ['backed_up', 'boolean'],
      transports: ['transports', 'text'],
      aaguid: ['aaguid', 'text'],
      createdAt: ['created_at', 'timestamptz'],
    },
    filters: ['id', 'userId', 'credentialID'],
  }),
  twoFactor: identityTable({
    table: 'person_two_factor',
    columns: {
      id: ['two_factor_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      secret: ['secret_sealed', 'text'],
      backupCodes: ['recovery_codes_sealed', 'text'],
      verified: ['verified', 'boolean'],
      failedVerificationCount: ['failed_count', 'integer'],
      lockedUntil: ['locked_until', 'timestamptz'],
    },
    filters: ['id', 'userId', 'backupCodes', 'lockedUntil<', 'failedVerificationCount>'],
  }),
};

/** No row: a code of this time step, or of a later one, was accepted before. */
export const acceptStep = statement<{ readonly id: string; readonly step: number }, object>(
  'person_two_factor_accept_step',
  sql('id', 'step')`
   update person_two_factor set accepted_step = :step
   where two_factor_id = :id::uuid and (accepted_step is null or accepted_step < :step)
   returning two_factor_id`,
  { guardedBy: 'accepted_step: of two with one code the second finds it' },
);

/** Counts in the row itself, so that guesses at the same time are all counted. */
export const countFailedCode = statement<
  { readonly id: string; readonly by: number },
  Readonly<Record<string, unknown>>
>(
  'person_two_factor_count_failed',
  sql('id', 'by')`
   update person_two_factor set failed_count = failed_count + :by where two_factor_id = :id::uuid
   returning two_factor_id as id, person_id as "userId", failed_count as "failedVerificationCount",
     locked_until as "lockedUntil"`,
  { guardedBy: 'the count is read and written under the lock of its row' },
);
