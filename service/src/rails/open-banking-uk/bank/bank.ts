import { allowInsecureRequests, customFetch, discovery, PrivateKeyJwt } from 'openid-client';
import type { Codec } from '../messages/codec.ts';
import { codecV4 } from '../messages/codec-v4.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import { isAllowedAddress, isLoopbackHttp } from '../settings/bank-profile.ts';
import type { OpenBankingClient, OpenBankingTools, Timeouts } from '../settings/settings.ts';
import type { ClientKeys } from './client-keys.ts';
import type { ClientToken } from './client-token.ts';
import { openClientToken } from './client-token.ts';
import type { Discovered } from './discovered.ts';
import { openKeySource } from './open-key-source.ts';
import type { Remembered } from './remember.ts';
import { remember } from './remember.ts';
import type { Transport } from './transport.ts';
import type { HealthWatch } from './watch-health.ts';
import { watchHealth } from './watch-health.ts';

/** One bank and what is cached of it; nothing is fetched before it is needed. */
export type Bank = {
  readonly profile: BankProfile;
  readonly client: OpenBankingClient;
  readonly clientKeys: ClientKeys;
  readonly tools: OpenBankingTools;
  readonly transport: Transport;
  readonly codec: Codec;
  readonly discovered: Remembered<Discovered>;
  readonly clientToken: ClientToken;
  readonly accountToken: ClientToken;
  readonly health: { readonly payments: HealthWatch; readonly accounts: HealthWatch };
};

export type Connector = {
  readonly client: OpenBankingClient;
  readonly clientKeys: ClientKeys;
  readonly tools: OpenBankingTools;
  readonly transport: Transport;
  readonly timeouts: Timeouts;
};

const discoveryCacheMs = 3_600_000;

export const openBank = (profile: BankProfile, shared: Connector): Bank => {
  const connector = { ...shared, client: clientAt(profile, shared.client) };
  const discovered = remember(connector.tools.clock, async () => ({
    value: await discover(profile, connector),
    cacheForMs: discoveryCacheMs,
  }));
  return {
    profile,
    client: connector.client,
    clientKeys: connector.clientKeys,
    tools: connector.tools,
    transport: connector.transport,
    codec: codecV4,
    discovered,
    clientToken: openClientToken(connector.tools.clock, discovered, profile.tokenScope),
    accountToken: openClientToken(connector.tools.clock, discovered, 'accounts'),
    health: {
      payments: watchHealth(connector.tools.clock, { bank: profile.id, api: 'payments' }),
      accounts: watchHealth(connector.tools.clock, { bank: profile.id, api: 'accounts' }),
    },
  };
};

/** Banks where a firm registers give it client ids of their own. */
const clientAt = ({ clientId }: BankProfile, client: OpenBankingClient): OpenBankingClient =>
  clientId === undefined ? client : { ...client, clientId };

const discover = async (profile: BankProfile, connector: Connector): Promise<Discovered> => {
  const { client, transport, timeouts } = connector;
  const wellKnown = new URL(profile.wellKnown);
  const key = await connector.clientKeys.signingKey();
  const configuration = await discovery(
    wellKnown,
    client.clientId,
    {
      use_mtls_endpoint_aliases: true,
      authorization_signed_response_alg: 'PS256',
      id_token_signed_response_alg: 'PS256',
    },
    PrivateKeyJwt({ key, kid: client.signingKeyId }),
    {
      [customFetch]: transport.fetch,
      timeout: timeouts.totalMs / 1000,
      execute: isLoopbackHttp(wellKnown) ? [allowInsecureRequests] : [],
    },
  );
  const metadata = configuration.serverMetadata();
  if (metadata.issuer !== profile.issuer) throw new Error('the bank names another issuer');
  const issuerKeysAt = metadata.jwks_uri ?? '';
  if (!isAllowedAddress(issuerKeysAt)) throw new Error('the bank names no address of its keys');
  const answerKeysAt = profile.bankSigning?.jwksUri ?? issuerKeysAt;
  const issuerKeys = openKeySource(issuerKeysAt, transport);
  return {
    configuration,
    issuerKeys,
    answerKeys: answerKeysAt === issuerKeysAt ? issuerKeys : openKeySource(answerKeysAt, transport),
  };
};
