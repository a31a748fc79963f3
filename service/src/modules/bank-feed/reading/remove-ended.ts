import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type BankDataRails, decryptRailState } from '../authorisations/data-rails.ts';
import { findAuthorisation } from '../authorisations/get-authorisation.ts';
import { listLinkedAccounts } from '../authorisations/store/authorisations.ts';
import { nextRefreshInMs } from './refresh-authorisation.ts';
import {
  type ClaimedRemoval,
  finishRemoval,
  markLeaving,
  postponeRemoval,
  removeAccounts,
  removeLinks,
  removeTransactions,
} from './store/removals.ts';

export type RemovalTools = Uses<'database' | 'secrets' | 'log'> & {
  readonly bankDataRails: BankDataRails;
};

const rowsPerStatement = 5_000;
const maxTries = 40;

/**
 * Deletes the data of an authorisation that has ended, where no other shows the same account, then ends
 * the consent at the bank. Every step may be repeated. It throws when the bank has not answered yet.
 */
export const removeEnded = async (tools: RemovalTools, claimed: ClaimedRemoval): Promise<true> => {
  const { merchant_id: merchantId, environment, authorisation_id: authorisationId } = claimed;
  const key = { merchantId, environment, authorisationId };
  const { database } = tools;
  const accounts = await database.tenant(merchantId, listLinkedAccounts, key);
  const accountIds = accounts.map((row) => row.account_id);
  const rows = { ...key, accountIds, limit: rowsPerStatement };
  await database.tenant(merchantId, markLeaving, { ...key, accountIds });
  let removed = rowsPerStatement;
  while (removed === rowsPerStatement) {
    const [counted] = await database.tenant(merchantId, removeTransactions, rows);
    removed = counted?.removed ?? 0;
  }
  await database.tenant(merchantId, removeLinks, key);
  await database.tenant(merchantId, removeAccounts, { ...key, accountIds });
  await endConsent(tools, claimed);
  await database.tenant(merchantId, finishRemoval, key);
  return true;
};

export const postpone = async (
  { database, log }: RemovalTools,
  { merchant_id: merchantId, environment, authorisation_id, failures }: ClaimedRemoval,
  error: string,
): Promise<void> => {
  const key = { merchantId, environment, authorisationId: authorisation_id };
  log.warn({ ...key, error, failures }, 'a consent will be ended at the bank later');
  const delayMs = nextRefreshInMs(failures);
  await database.tenant(merchantId, postponeRemoval, { ...key, delayMs, error });
};

const endConsent = async (
  tools: RemovalTools,
  { merchant_id: merchantId, environment, ...claimed }: ClaimedRemoval,
): Promise<void> => {
  const { authorisation_id: authorisationId, failures } = claimed;
  const found = await findAuthorisation(tools, { merchantId, environment }, authorisationId);
  const state = found && decryptRailState(tools.secrets, found);
  if (!found || !state) return;
  const rail = tools.bankDataRails.find(environment, found.institutionId ?? '');
  const answer = (await rail?.revoke(state)) ?? notConnected;
  if (answer.kind !== 'UNKNOWN') return;
  if (failures + 1 < maxTries) throw new Error(answer.description);
  const line = { authorisationId, answer: answer.kind, failures };
  tools.log.error(line, 'a consent could not be ended at the bank');
};

const notConnected = { kind: 'UNKNOWN', description: 'The bank is not connected.' } as const;

/** By how much sooner the operator wants the way back of an ended authorisation to be forgotten. */
export const forgetEarlierByDays = (personalDataDays: number | null): number =>
  Math.max(
    limits.bankAuthorisationRetentionDays -
      (personalDataDays ?? limits.bankAuthorisationRetentionDays),
    0,
  );
