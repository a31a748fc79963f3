import type { BankDataRail } from '#rails/bank-data-rail.ts';
import type { BankRail, Unknown } from '#rails/bank-rail.ts';
import { openBankData } from './accounts/open-bank-data.ts';
import type { Bank } from './bank/bank.ts';
import { refusal, unknown } from './bank/call-bank.ts';
import { openClientKeys } from './bank/client.ts';
import { findReasonNotToOffer, healthOf, offerBanks } from './bank/offer-banks.ts';
import { type RailState, readRailState, writeRailState } from './bank/rail-state.ts';
import { openTransport } from './bank/transport.ts';
import { openEvents } from './bank-events.ts';
import { createConsent } from './consents/create-consent.ts';
import { exchange } from './consents/exchange.ts';
import { readReturn } from './consents/read-return.ts';
import { type Connector, openBank } from './open-bank.ts';
import { readPayment, resolveSubmission, submit } from './payments.ts';
import type { BankProfile } from './settings/bank-profile.ts';
import {
  checkSettings,
  defaultTimeouts,
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
  const timeouts = settings.timeouts ?? defaultTimeouts;
  const transport = openTransport(settings.client, timeouts);
  const clientKeys = openClientKeys(settings.client);
  const connector = { client: settings.client, clientKeys, tools, transport, timeouts };
  const banks = new Map(
    settings.banks.map((profile) => [profile.id, openBank(profile, connector)]),
  );
  const hidesUnavailable = settings.hidesUnavailableBanks ?? false;
  const onBank = findingBank(banks, openEarlier(settings.banks, connector));
  return {
    institutions: () => offerBanks(banks.values(), 'payments', hidesUnavailable),
    health: () => healthOf(banks.values(), 'payments'),
    createConsent: async (order) => {
      const bank = banks.get(order.institutionId);
      const reason = findReasonNotToOffer(bank, 'payments', hidesUnavailable);
      return bank && !reason ? createConsent(bank, order) : refusal(reason ?? 'BANK_NOT_ENABLED');
    },
    readReturn: (state, parameters) =>
      onBank(state, (bank, read) => readReturn(bank, read, parameters, writeRailState)),
    exchange: (state, code) => onBank(state, (bank, read) => exchange(bank, read, code)),
    submit: (state) => onBank(state, submit),
    resolveSubmission: (state) => onBank(state, resolveSubmission),
    readPayment: (state) => onBank(state, readPayment),
    bankData: openBankData(banks, hidesUnavailable),
    events: openEvents(banks),
    close: transport.close,
  };
};

/** A bank that was disabled meanwhile still ends the payments that it started. */
const findingBank =
  (banks: ReadonlyMap<string, Bank>, earlier: ReadonlyMap<string, Bank>) =>
  async <Outcome>(
    text: string,
    step: (bank: Bank, state: RailState) => Promise<Outcome>,
  ): Promise<Outcome | Unknown> => {
    const state = readRailState(text);
    const current = state && banks.get(state.bankId);
    if (!state || !current) return unknown('The bank of this payment is not set up here any more.');
    // What began in one version is unknown at the addresses of another.
    if (current.profile.version === state.version) return step(current, state);
    const before = earlier.get(state.bankId);
    if (before?.profile.version === state.version) return step(before, state);
    return unknown(`The bank is not set up for version ${state.version} any more: set "earlier".`);
  };

/** The banks that changed their version, as payments from before the change still need them. */
const openEarlier = (
  profiles: readonly BankProfile[],
  connector: Connector,
): ReadonlyMap<string, Bank> =>
  new Map(
    profiles.flatMap((profile) =>
      profile.earlier
        ? [[profile.id, openBank({ ...profile, ...profile.earlier }, connector)] as const]
        : [],
    ),
  );
