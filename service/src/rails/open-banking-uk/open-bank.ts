import type { Bank, ReadAnswer, RequestAuthorisation } from './bank/bank.ts';
import { type ClientKeys, openClientToken } from './bank/client.ts';
import { discover } from './bank/discover.ts';
import { remember } from './bank/remember.ts';
import type { Transport } from './bank/transport.ts';
import { watchHealth } from './bank/watch-health.ts';
import { pushAuthorisation, requestByValue } from './consents/create-consent.ts';
import { readFragmentAnswer, readQueryAnswer, readSignedAnswer } from './consents/read-return.ts';
import type { Codec } from './messages/codec.ts';
import { codecV3 } from './messages/codec-v3.ts';
import { codecV4 } from './messages/codec-v4.ts';
import { encodedPayload, rawPayload } from './messages/detached-jws.ts';
import type { BankProfile } from './settings/bank-profile.ts';
import type { OpenBankingClient, OpenBankingTools, Timeouts } from './settings/settings.ts';

export type Connector = {
  readonly client: OpenBankingClient;
  readonly clientKeys: ClientKeys;
  readonly tools: OpenBankingTools;
  readonly transport: Transport;
  readonly timeouts: Timeouts;
};

const codecs: Readonly<Record<BankProfile['version'], Codec>> = { '3.1': codecV3, '4.0': codecV4 };

const requestWays: Readonly<Record<BankProfile['authorisation'], RequestAuthorisation>> = {
  par: pushAuthorisation,
  jar: requestByValue,
};

const answerWays: Readonly<Record<BankProfile['responseMode'], ReadAnswer>> = {
  jwt: readSignedAnswer,
  fragment: readFragmentAnswer,
  query: readQueryAnswer,
};

const discoveryCacheMs = 3_600_000;

/** Chooses the ways of this bank; uses no network. */
export const openBank = (profile: BankProfile, connector: Connector): Bank => {
  const { tools, transport, clientKeys } = connector;
  const client = clientAt(profile, connector.client);
  const discovered = remember(tools.clock, async () => ({
    value: await discover(profile, { ...connector, client }),
    cacheForMs: discoveryCacheMs,
  }));
  return {
    profile,
    client,
    clientKeys,
    tools,
    transport,
    codec: codecs[profile.version],
    signatureForm: profile.quirks.includes('jwsB64HeaderFalse') ? rawPayload : encodedPayload,
    requestAuthorisation: requestWays[profile.authorisation],
    readAnswer: answerWays[profile.responseMode],
    discovered,
    clientToken: openClientToken(tools.clock, discovered, profile.tokenScope),
    accountToken: openClientToken(tools.clock, discovered, accountScopeOf(profile)),
    health: {
      payments: watchHealth(tools.clock, { bank: profile.id, api: 'payments' }),
      accounts: watchHealth(tools.clock, { bank: profile.id, api: 'accounts' }),
    },
  };
};

/** Banks where a firm registers give it client ids of their own. */
const clientAt = ({ clientId }: BankProfile, client: OpenBankingClient): OpenBankingClient =>
  clientId === undefined ? client : { ...client, clientId };

const accountScopeOf = ({ tokenScope }: BankProfile): string =>
  tokenScope.replace(/\bpayments\b/, 'accounts');
