import type { Clock, Ids } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Timeouts } from '#rails/http-limits.ts';
import { checkClient } from '../bank/client.ts';
import { type BankProfile, checkBankProfile } from './bank-profile.ts';

/** Who we are at every bank: from the directory's software statement and its two certificates. */
export type OpenBankingClient = {
  /** Empty: each bank has given an id of its own. */
  readonly clientId: string;
  readonly organisationId: string;
  readonly softwareStatementId: string;
  readonly signingKeyId: string;
  readonly signingKeyPem: string;
  readonly transportCertificatePem: string;
  readonly transportKeyPem: string;
  /** The only authorities that may issue the banks' certificates; absent: the public ones. */
  readonly caPem?: string;
  readonly trustAnchor: string;
  /** The directory's signed text about us; only a registration at a bank needs it. */
  readonly softwareStatement?: string;
  readonly redirectUri: string;
  /** Where a bank returns a browser after its customer shared accounts. */
  readonly accountRedirectUri: string;
};

export type OpenBankingSettings = {
  readonly client: OpenBankingClient;
  readonly banks: readonly BankProfile[];
  readonly timeouts?: Timeouts;
  /**
   * Offers no bank that does not answer at present. Not in the sandbox: an outcome there must not
   * depend on what was tried before.
   */
  readonly hidesUnavailableBanks?: boolean;
};

export type OpenBankingTools = { readonly clock: Clock; readonly ids: Ids; readonly log: Log };

// A payer waits for these: three calls in a row must end before the browser gives up.
export const defaultTimeouts: Timeouts = {
  connectMs: 3_000,
  headersMs: 12_000,
  bodyMs: 5_000,
  totalMs: 15_000,
};

/** One sentence for each setting that cannot be used. */
export const checkSettings = ({ client, banks }: OpenBankingSettings): readonly string[] => [
  ...checkClient(client),
  ...banks.flatMap(checkBankProfile),
  ...banks
    .filter(({ isEnabled, clientId }) => isEnabled && !(clientId || client.clientId))
    .map(
      ({ id }) =>
        `banks["${id}"].clientId is missing: register there, or set client.clientId, or disable it.`,
    ),
];
