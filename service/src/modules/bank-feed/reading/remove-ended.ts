import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import type { BankDataRails } from '../authorisations/bank-data-rails.ts';
import { findAuthorisation } from '../authorisations/find-authorisation.ts';
import { openRailState } from '../authorisations/open-rail-state.ts';
import { listLinkedAccounts } from '../authorisations/store/accounts.ts';
import { nextRefreshInMs } from './next-refresh-in-ms.ts';
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
 * the consent at the bank. Every step may be repeated. False: the bank has not answered yet.
 */
export const removeEnded = async (
  tools: RemovalTools,
  claimed: ClaimedRemoval,
): Promise<boolean> => {
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
  const isDone = await endConsent(tools, claimed);
  if (isDone) await database.tenant(merchantId, finishRemoval, key);
  else
    await database.tenant(merchantId, postponeRemoval, {
      ...key,
      delayMs: nextRefreshInMs(claimed.failures),
    });
  return isDone;
};

const endConsent = async (
  tools: RemovalTools,
  { merchant_id: merchantId, environment, ...claimed }: ClaimedRemoval,
): Promise<boolean> => {
  const { authorisation_id: authorisationId, failures } = claimed;
  const found = await findAuthorisation(tools, { merchantId, environment }, authorisationId);
  const state = found && openRailState(tools.secrets, found);
  if (!found || !state) return true;
  const rail = tools.bankDataRails.find(environment, found.institutionId ?? '');
  const answer = (await rail?.revoke(state))?.kind ?? 'UNKNOWN';
  if (answer === 'REVOKED' || answer === 'REFUSED') return true;
  const isGivenUp = failures + 1 >= maxTries;
  const line = { authorisationId, answer, failures };
  if (isGivenUp) tools.log.error(line, 'a consent could not be ended at the bank');
  else tools.log.warn(line, 'a consent will be ended at the bank later');
  return isGivenUp;
};

/** By how much sooner the operator wants the way back of an ended authorisation to be forgotten. */
export const forgetEarlierByDays = (personalDataDays: number | null): number =>
  Math.max(
    limits.bankAuthorisationRetentionDays -
      (personalDataDays ?? limits.bankAuthorisationRetentionDays),
    0,
  );
