import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import type { Attempt } from './payment.ts';

export const openRailState = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'railStateEncrypted'>,
): string | null =>
  attempt.railStateEncrypted &&
  secrets
    .decrypt(attempt.railStateEncrypted, attemptContext(attempt.attemptId, 'rail_state_encrypted'))
    .toString('utf8');

export const openPayer = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'payerEncrypted'>,
): BankAccount | null =>
  attempt.payerEncrypted &&
  (JSON.parse(
    secrets.decrypt(attempt.payerEncrypted, payerContext(attempt.attemptId)).toString('utf8'),
  ) as BankAccount);

export const payerContext = (attemptId: string) => attemptContext(attemptId, 'payer_encrypted');

/** As it was, where the rail has nothing new to remember. */
export const resealRailState = (
  secrets: Secrets,
  attempt: Pick<Attempt, 'attemptId' | 'railStateEncrypted'>,
  state: string,
): Buffer | null =>
  openRailState(secrets, attempt) === state
    ? attempt.railStateEncrypted
    : sealRailState(secrets, attempt.attemptId, state);

/** The rail's state of an attempt: it holds tokens, so it is stored encrypted. */
export const sealRailState = (secrets: Secrets, attemptId: string, state: string): Buffer =>
  secrets.encrypt(state, attemptContext(attemptId, 'rail_state_encrypted'));

export const attemptContext = (attemptId: string, column: string) => ({
  table: 'attempt',
  row: attemptId,
  column,
});
