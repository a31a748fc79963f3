import type { Secrets } from '#platform/secrets/open-secrets.ts';
import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import type { Attempt } from './payment.ts';

export const decryptRailState = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'railStateEncrypted'>,
): string | null =>
  attempt.railStateEncrypted &&
  secrets
    .decrypt(attempt.railStateEncrypted, attemptContext(attempt.attemptId, 'rail_state_encrypted'))
    .toString('utf8');

export const decryptPayer = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'payerEncrypted'>,
): BankAccount | null =>
  attempt.payerEncrypted &&
  (JSON.parse(
    secrets.decrypt(attempt.payerEncrypted, payerContext(attempt.attemptId)).toString('utf8'),
  ) as BankAccount);

export const payerContext = (attemptId: string) => attemptContext(attemptId, 'payer_encrypted');

/** As it was, where the rail has nothing new to remember. */
export const reencryptRailState = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'railStateEncrypted'>,
  state: string,
): Buffer | null =>
  decryptRailState(secrets, attempt) === state
    ? attempt.railStateEncrypted
    : encryptRailState(secrets, attempt.attemptId, state);

/** The rail's state of an attempt: it holds tokens, so it is stored encrypted. */
export const encryptRailState = (secrets: Secrets, attemptId: string, state: string): Buffer =>
  secrets.encrypt(state, attemptContext(attemptId, 'rail_state_encrypted'));

const attemptContext = (attemptId: string, column: string) => ({
  table: 'attempt',
  row: attemptId,
  column,
});

export const encryptedColumns: readonly EncryptedColumn[] = [
  ...['rail_state_encrypted', 'payer_encrypted'].map((column) =>
    encryptedColumn({
      table: 'attempt',
      column,
      key: { attempt_id: 'uuid' },
      contextOf: (row) => attemptContext(row.attempt_id ?? '', column),
    }),
  ),
];
