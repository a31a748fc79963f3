import type { DetachedForm } from '../messages/detached-jws.ts';
import { encodedPayload, rawPayload } from '../messages/detached-jws.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import {
  defaultTimeouts,
  type OpenBankingClient,
  type OpenBankingSettings,
  type OpenBankingTools,
} from '../settings/settings.ts';
import { type ClientKeys, openClientKeys, openClientToken } from './client.ts';
import { type Discovered, discover } from './discover.ts';
import { type Remembered, remember } from './remember.ts';
import { openTransport, type Transport } from './transport.ts';
import { type HealthWatch, watchHealth } from './watch-health.ts';

/** One bank and what is cached of it; nothing is fetched before it is needed. */
export type Bank = {
  readonly profile: BankProfile;
  readonly client: OpenBankingClient;
  readonly clientKeys: ClientKeys;
  readonly tools: OpenBankingTools;
  readonly transport: Transport;
  readonly signatureForm: DetachedForm;
  readonly discovered: Remembered<Discovered>;
  readonly clientToken: Remembered<string>;
  readonly accountToken: Remembered<string>;
  readonly health: { readonly payments: HealthWatch; readonly accounts: HealthWatch };
};

/** What all banks have in common: who we are there, and one set of connections. */
export type Connector = ReturnType<typeof openConnector>;

export const openConnector = (
  { client, timeouts = defaultTimeouts }: OpenBankingSettings,
  tools: OpenBankingTools,
) => ({
  client,
  clientKeys: openClientKeys(client),
  tools,
  transport: openTransport(client, timeouts),
  timeouts,
});

const discoveryCacheMs = 3_600_000;

/** Uses no network. */
export const openBank = (profile: BankProfile, connector: Connector): Bank => {
  const { tools, transport, clientKeys } = connector;
  const client = clientAt(profile, connector.client);
  const discovered = remember(tools.clock, async () => ({
    value: await discover(profile, { ...connector, client }),
    cacheForMs: discoveryCacheMs,
  }));
  const { tokenScope } = profile;
  const accountScope = tokenScope.replace(/\bpayments\b/, 'accounts');
  return {
    profile,
    client,
    clientKeys,
    tools,
    transport,
    signatureForm: profile.quirks.includes('jwsB64HeaderFalse') ? rawPayload : encodedPayload,
    discovered,
    clientToken: openClientToken(tools.clock, discovered, tokenScope),
    accountToken: openClientToken(tools.clock, discovered, accountScope),
    health: {
      payments: watchHealth(tools.clock, { bank: profile.id, api: 'payments' }),
      accounts: watchHealth(tools.clock, { bank: profile.id, api: 'accounts' }),
    },
  };
};

/** Banks where a firm registers give it client ids of their own. */
const clientAt = ({ clientId }: BankProfile, client: OpenBankingClient): OpenBankingClient =>
  clientId === undefined ? client : { ...client, clientId };
