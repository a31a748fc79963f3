import type { BankDataRail } from '#rails/bank-data-rail.ts';
import type { Unknown } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal, unknown } from '../bank/call-bank.ts';
import { findReasonNotToOffer, offerBanks } from '../bank/offer-banks.ts';
import { readReturn } from '../consents/read-return.ts';
import {
  readAccountConsent,
  refreshAccountTokens,
  revokeAccountConsent,
} from './account-access.ts';
import {
  type AccountState,
  createAccountConsent,
  exchangeAccountCode,
  readAccountState,
  writeAccountState,
} from './create-account-consent.ts';
import { readAccounts, readBalance, readTransactions } from './read-accounts.ts';

/** The banks that show accounts, of those that the connector reaches. */
export const openBankData = (
  banks: ReadonlyMap<string, Bank>,
  hidesUnavailable: boolean,
): BankDataRail => {
  const withAccounts = [...banks.values()].filter(hasAccounts);
  const onBank = findingBank(banks);
  return {
    institutions: () => offerBanks(withAccounts, 'accounts', hidesUnavailable),
    createConsent: async (order) => {
      const bank = withAccounts.find(({ profile }) => profile.id === order.institutionId);
      const reason = findReasonNotToOffer(bank, 'accounts', hidesUnavailable);
      return bank && !reason
        ? createAccountConsent(bank, order)
        : refusal(reason ?? 'BANK_NOT_ENABLED');
    },
    readReturn: (state, parameters) =>
      onBank(state, (bank, read) => readReturn(bank, read, parameters, writeAccountState)),
    exchange: (state, code) => onBank(state, (bank, read) => exchangeAccountCode(bank, read, code)),
    refreshTokens: (state) => onBank(state, refreshAccountTokens),
    readAccounts: (state, visitor) =>
      onBank(state, (bank, read) => readAccounts(bank, read, visitor)),
    readBalance: (state, accountId, visitor) =>
      onBank(state, (bank, read) => readBalance(bank, read, accountId, visitor)),
    readTransactions: (state, page, visitor) =>
      onBank(state, (bank, read) => readTransactions(bank, read, page, visitor)),
    readConsent: (state) => onBank(state, readAccountConsent),
    revoke: (state) => onBank(state, revokeAccountConsent),
  };
};

const hasAccounts = (bank: Bank | undefined): boolean => bank?.profile.accountsUrl !== undefined;

/** A bank that was disabled meanwhile is still read under the consents that it gave. */
const findingBank =
  (banks: ReadonlyMap<string, Bank>) =>
  async <Outcome>(
    text: string,
    step: (bank: Bank, state: AccountState) => Promise<Outcome>,
  ): Promise<Outcome | Unknown> => {
    const state = readAccountState(text);
    const bank = state && banks.get(state.bankId);
    if (!state || !bank || !hasAccounts(bank))
      return unknown('The bank of this link is not set up here any more.');
    return step(bank, state);
  };
