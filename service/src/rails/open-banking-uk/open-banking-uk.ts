import type { BankDataRail } from '#rails/bank-data-rail.ts';
import type { BankRail } from '#rails/bank-rail.ts';
import { onState } from '#rails/rail-state.ts';
import {
  readAccountConsent,
  refreshAccountTokens,
  revokeAccountConsent,
} from './accounts/account-access.ts';
import {
  createAccountConsent,
  exchangeAccountCode,
  readAccountState,
} from './accounts/create-account-consent.ts';
import { readAccounts, readBalance, readTransactions } from './accounts/read-accounts.ts';
import { type Bank, openBank, openConnector } from './bank/bank.ts';
import { refusal, unknown } from './bank/call-bank.ts';
import { findReasonNotToOffer, healthOf, offerBanks } from './bank/offer-banks.ts';
import { openEvents } from './bank-events.ts';
import { createConsent, exchange } from './consents/create-consent.ts';
import { readPaymentState } from './consents/payment-state.ts';
import { readReturn } from './consents/read-return.ts';
import { readPayment, resolveSubmission, submit } from './payments.ts';
import {
  checkSettings,
  type OpenBankingSettings,
  type OpenBankingTools,
} from './settings/settings.ts';

export type OpenBankingUk = BankRail & {
  /** The accounts that customers share, at the same banks. */
  readonly bankData: BankDataRail;
  readonly close: () => Promise<void>;
};

/** The one connector to UK banks, simulated and real. Opening it touches no network. */
export const openBankingUk = (
  settings: OpenBankingSettings,
  tools: OpenBankingTools,
): OpenBankingUk => {
  const wrong = checkSettings(settings);
  if (wrong.length > 0) throw new Error(wrong.join(' '));
  const connector = openConnector(settings, tools);
  const banks = settings.banks.map((profile) => openBank(profile, connector));
  // The banks that changed their version, as payments from before the change still need them.
  const earlier = settings.banks.flatMap((profile) =>
    profile.earlier ? [openBank({ ...profile, ...profile.earlier }, connector)] : [],
  );
  const hidesUnavailable = settings.hidesUnavailableBanks ?? false;
  const onBank = onState((text) => findBank(banks, earlier, text));
  return {
    institutions: () => offerBanks(banks, 'payments', hidesUnavailable),
    health: () => healthOf(banks, 'payments'),
    createConsent: async (order) => {
      const bank = banks.find(({ profile }) => profile.id === order.institutionId);
      const reason = findReasonNotToOffer(bank, 'payments', hidesUnavailable);
      return bank && !reason ? createConsent(bank, order) : refusal(reason ?? 'BANK_NOT_ENABLED');
    },
    readReturn: onBank(readReturn),
    exchange: onBank(exchange),
    submit: onBank(submit),
    resolveSubmission: onBank(resolveSubmission),
    readPayment: onBank(readPayment),
    bankData: openBankData(banks, hidesUnavailable),
    events: openEvents(banks),
    clientIds: () =>
      Object.fromEntries(banks.map(({ profile, client }) => [profile.id, client.clientId])),
    close: connector.transport.close,
  };
};

/** A bank that was disabled meanwhile still ends the payments that it started. */
const findBank = (banks: readonly Bank[], earlier: readonly Bank[], text: string) => {
  const state = readPaymentState(text);
  const known = [...banks, ...earlier].filter(({ profile }) => profile.id === state?.bankId);
  if (!state || known.length === 0) return notSetUp;
  // What began in one version is unknown at the addresses of another.
  const on = known.find(({ profile }) => profile.version === state.version);
  return on
    ? { on, state }
    : unknown(`The bank is not set up for version ${state.version} any more: set "earlier".`);
};

const notSetUp = unknown('The bank of this payment or link is not set up here any more.');

/** The banks that show accounts; one that was disabled is still read under the consents it gave. */
const openBankData = (all: readonly Bank[], hidesUnavailable: boolean): BankDataRail => {
  const banks = all.filter(({ profile }) => profile.accountsUrl !== undefined);
  const find = (id: string) => banks.find(({ profile }) => profile.id === id);
  const onBank = onState((text) => {
    const state = readAccountState(text);
    const on = state && find(state.bankId);
    return state && on ? { on, state } : notSetUp;
  });
  return {
    institutions: () => offerBanks(banks, 'accounts', hidesUnavailable),
    createConsent: async (order) => {
      const bank = find(order.institutionId);
      const reason = findReasonNotToOffer(bank, 'accounts', hidesUnavailable);
      return bank && !reason
        ? createAccountConsent(bank, order)
        : refusal(reason ?? 'BANK_NOT_ENABLED');
    },
    readReturn: onBank(readReturn),
    exchange: onBank(exchangeAccountCode),
    refreshTokens: onBank(refreshAccountTokens),
    readAccounts: onBank(readAccounts),
    readBalance: onBank(readBalance),
    readTransactions: onBank(readTransactions),
    readConsent: onBank(readAccountConsent),
    revoke: onBank(revokeAccountConsent),
  };
};
