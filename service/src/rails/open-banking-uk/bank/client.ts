import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type CryptoKey, importPKCS8 } from 'jose';
import { clientCredentialsGrant } from 'openid-client';
import type { Clock } from '#platform/clock.ts';
import type { OpenBankingClient } from '../settings/settings.ts';
import type { Discovered } from './discover.ts';
import { type Remembered, remember } from './remember.ts';

/** The signing key, imported when first needed; its text was checked when the program started. */
export type ClientKeys = { readonly signingKey: () => Promise<CryptoKey> };

export const openClientKeys = (client: OpenBankingClient): ClientKeys => {
  const pkcs8 = createPrivateKey(client.signingKeyPem).export({ format: 'pem', type: 'pkcs8' });
  let imported: Promise<CryptoKey> | null = null;
  return {
    signingKey: () => {
      imported ??= importPKCS8(pkcs8.toString(), 'PS256');
      return imported;
    },
  };
};

/** One sentence for each setting that cannot be used. */
export const checkClient = (client: OpenBankingClient): readonly string[] => {
  const wrong: string[] = [];
  for (const name of required)
    if (!client[name]) wrong.push(`client.${name} is missing: set it, or enable no bank.`);
  if (wrong.length > 0) return wrong;
  if (!isReadable(() => createPrivateKey(client.signingKeyPem)))
    wrong.push('client.signingKeyPem is not a private key in PEM.');
  if (!isReadable(() => createPrivateKey(client.transportKeyPem)))
    wrong.push('client.transportKeyPem is not a private key in PEM.');
  if (!isReadable(() => new X509Certificate(client.transportCertificatePem)))
    wrong.push('client.transportCertificatePem is not a certificate in PEM.');
  // A certificate is renewed by two files: between them, what is in use must stay.
  if (wrong.length === 0 && !isPair(client))
    wrong.push('client.transportKeyPem is not the key of client.transportCertificatePem.');
  if (!URL.canParse(client.redirectUri)) wrong.push('client.redirectUri is not an address.');
  return wrong;
};

const required = [
  'organisationId',
  'softwareStatementId',
  'signingKeyId',
  'signingKeyPem',
  'transportCertificatePem',
  'transportKeyPem',
  'trustAnchor',
  'redirectUri',
] as const satisfies readonly (keyof OpenBankingClient)[];

const isPair = ({ transportCertificatePem, transportKeyPem }: OpenBankingClient): boolean =>
  new X509Certificate(transportCertificatePem).checkPrivateKey(createPrivateKey(transportKeyPem));

const isReadable = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

// Renewed early, so that it does not run out on its way; a token without a lifetime lives briefly.
const renewBeforeMs = 30_000;
const assumedLifetimeSeconds = 60;
const maxCacheMs = 3_600_000;

/** Our own token at a bank: for consents, and for reading payments without the payer. */
export const openClientToken = (
  clock: Clock,
  discovered: Remembered<Discovered>,
  scope: string,
): Remembered<string> =>
  remember(clock, async () => {
    const { configuration } = await discovered.get();
    const granted = await clientCredentialsGrant(configuration, { scope });
    const lifetimeMs = (granted.expires_in ?? assumedLifetimeSeconds) * 1000;
    const cacheForMs = Math.min(Math.max(lifetimeMs - renewBeforeMs, 0), maxCacheMs);
    return { value: granted.access_token, cacheForMs };
  });
