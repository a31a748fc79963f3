import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  Configuration,
  customFetch,
  modifyAssertion,
  PrivateKeyJwt,
  type ServerMetadata,
  TlsClientAuth,
} from 'openid-client';
import { parseJson } from '../messages/read-values.ts';
import { type BankProfile, isAllowedAddress, isLoopbackHttp } from '../settings/bank-profile.ts';
import type { Connector } from './bank.ts';
import { type KeySource, openKeySource } from './open-key-source.ts';
import type { Transport } from './transport.ts';

/** A bank's published configuration, and its keys. */
export type Discovered = {
  readonly configuration: Configuration;
  /** Where a customer approves: a page, or an address that only the bank's app opens. */
  readonly authorisationEndpoint: string;
  /** Signs what the payer's browser brings back, and the id token. */
  readonly issuerKeys: KeySource;
  /** Signs the answers of the payment interface. */
  readonly answerKeys: KeySource;
};

/** Reads the bank's published configuration at the address of its profile, wherever that is. */
export const discover = async (profile: BankProfile, connector: Connector): Promise<Discovered> => {
  const { client, transport, timeouts } = connector;
  const metadata = await readMetadata(profile, transport);
  const configuration = new Configuration(
    metadata,
    client.clientId,
    { use_mtls_endpoint_aliases: true, id_token_signed_response_alg: 'PS256' },
    await clientAuthentications[profile.tokenAuth](profile, connector, metadata),
  );
  configuration[customFetch] = transport.fetch;
  configuration.timeout = timeouts.totalMs / 1000;
  if (isLoopbackHttp(new URL(profile.wellKnown))) allowInsecureRequests(configuration);
  const issuerKeysAt = metadata.jwks_uri;
  const answerKeysAt = profile.bankSigning?.jwksUri ?? issuerKeysAt;
  const issuerKeys = openKeySource(issuerKeysAt, transport);
  return {
    configuration,
    authorisationEndpoint: metadata.authorization_endpoint,
    issuerKeys,
    answerKeys: answerKeysAt === issuerKeysAt ? issuerKeys : openKeySource(answerKeysAt, transport),
  };
};

type Metadata = ServerMetadata &
  Readonly<Record<'jwks_uri' | 'token_endpoint' | 'authorization_endpoint', string>>;

/** Its code is what operators read. */
const fault = (code: string): Error => Object.assign(new Error(code), { code });

const readMetadata = async (profile: BankProfile, transport: Transport): Promise<Metadata> => {
  const answer = await transport.send(profile.wellKnown, {
    method: 'GET',
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) throw fault('BANK_SHOWS_NO_CONFIGURATION');
  const metadata = (parseJson(answer.body) ?? {}) as Metadata;
  if (metadata.issuer !== profile.issuer) throw fault('BANK_NAMES_ANOTHER_ISSUER');
  for (const name of ['jwks_uri', 'token_endpoint', 'authorization_endpoint'] as const) {
    const address = metadata[name];
    const isApps = name === 'authorization_endpoint' && address === profile.appAddress;
    if (typeof address !== 'string' || !(isApps || isAllowedAddress(address)))
      throw fault(`BANK_NAMES_NO_${name.toUpperCase()}`);
  }
  return metadata;
};

type Authenticate = (
  profile: BankProfile,
  connector: Connector,
  metadata: Metadata,
) => ClientAuth | Promise<ClientAuth>;

const clientAuthentications: Readonly<Record<BankProfile['tokenAuth'], Authenticate>> = {
  private_key_jwt: async (profile, { client, clientKeys }, metadata) => {
    const key = await clientKeys.signingKey();
    const named = profile.assertionAudience === 'tokenEndpoint';
    return PrivateKeyJwt(
      { key, kid: client.signingKeyId },
      {
        [modifyAssertion]: (_header, claims) => {
          if (named) claims.aud = metadata.token_endpoint;
        },
      },
    );
  },
  tls_client_auth: () => TlsClientAuth(),
  client_secret_basic: ({ clientSecret }) => ClientSecretBasic(clientSecret),
};
