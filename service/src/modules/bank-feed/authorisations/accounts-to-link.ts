import { createHmac } from 'node:crypto';
import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import type { BankDataAccount } from '#rails/bank-data-rail.ts';
import type { Authorisation } from './authorisation.ts';
import type { LinkedAccount } from './change-authorisation.ts';

/** Open accounts, each under the id that it has for this merchant whenever it is linked. */
export const accountsToLink = (
  { secrets, log }: Uses<'secrets' | 'log'>,
  { tenant, authorisationId, institutionId, bankName }: Authorisation,
  accounts: readonly BankDataAccount[],
): readonly LinkedAccount[] => {
  const open = accounts.filter(({ isOpen }) => isOpen);
  if (open.length > limits.bankAccountsPerAuthorisation)
    log.warn({ authorisationId, accounts: open.length }, 'some accounts are not linked: too many');
  const { merchantId, environment } = tenant;
  const key = secrets.keyFor('bank-account-id');
  const byId = new Map<string, LinkedAccount>();
  for (const account of open.slice(0, limits.bankAccountsPerAuthorisation)) {
    const owner = [merchantId, environment, institutionId].join('|');
    const named = uuidOf(key, `${owner}|${identityOf(account)}`);
    // Pockets of one account may share its number.
    const accountId = byId.has(named)
      ? uuidOf(key, `${owner}|${identityOf(account)}|${account.accountId}`)
      : named;
    byId.set(accountId, {
      account_id: accountId,
      institution_id: institutionId ?? '',
      bank_name: bankName ?? '',
      sort_code: account.sortCode,
      account_number: account.accountNumber,
      currency: account.currency,
      reference: account.accountId,
      position: byId.size,
    });
  }
  return [...byId.values()];
};

/** What stays the same under another consent; the bank's own id may not. */
const identityOf = ({ sortCode, accountNumber, currency, accountId }: BankDataAccount): string =>
  sortCode && accountNumber
    ? `number|${sortCode}|${accountNumber}|${currency}`
    : `reference|${accountId}`;

/** Derived under a key, so that an id shows no account number. */
const uuidOf = (key: Buffer, text: string): string => {
  const bytes = createHmac('sha256', key).update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
