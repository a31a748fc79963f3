import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { OpenBankingClient } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const dayMs = 86_400_000;
// A new certificate takes a firm some days to get and to register.
const warnBeforeMs = 30 * dayMs;
const minRsaBits = 2_048;
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** The certificate and the keys of the firm, without a network. */
export const checkClientKeys = (client: OpenBankingClient, now: Date): readonly Finding[] => {
  const { findings, ok, warn, fault } = findingsOf('client');
  const certificate = new X509Certificate(client.transportCertificatePem);
  const endsAt = new Date(certificate.validTo);
  const ends = `valid until ${endsAt.toISOString().slice(0, 10)}`;
  if (endsAt <= now)
    fault('transport certificate', ends.replace('valid until', 'expired on'), renew);
  else if (new Date(certificate.validFrom) > now)
    fault(
      'transport certificate',
      `not valid before ${certificate.validFrom}`,
      'Check the clock of this machine, or wait until the certificate is valid.',
    );
  else if (endsAt.getTime() - now.getTime() < warnBeforeMs)
    warn('transport certificate', ends, renew);
  else ok('transport certificate', ends);
  if (certificate.checkPrivateKey(createPrivateKey(client.transportKeyPem)))
    ok('transport key', 'belongs to the certificate');
  else
    fault(
      'transport key',
      'is not the key of the transport certificate',
      'Set transportKeyFile to the key with which this certificate was requested.',
    );
  const uses = certificate.keyUsage as readonly string[] | undefined;
  if (uses && !uses.includes(clientAuthentication))
    fault(
      'use of the certificate',
      'it may not authenticate a client',
      'Use the transport certificate (OBWAC or QWAC), not the one for signing.',
    );
  if (!certificate.subject.includes(client.organisationId))
    warn(
      'name in the certificate',
      `its subject does not name the organisation ${client.organisationId}`,
      'Check organisationId against the directory: banks compare it with the certificate.',
    );
  checkSigningKey(client, { ok, fault });
  return findings;
};

const renew =
  'Request a new transport certificate from the directory, register it at each bank, and put it ' +
  'in place of the file: it is read again without a restart.';

type Add = ReturnType<typeof findingsOf>['ok'];

const checkSigningKey = (
  client: OpenBankingClient,
  { ok, fault }: { readonly ok: Add; readonly fault: Add },
): void => {
  const key = createPrivateKey(client.signingKeyPem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType?.startsWith('rsa') && bits >= minRsaBits)
    ok('signing key', `RSA, ${bits} bits, key id ${client.signingKeyId}`);
  else
    fault(
      'signing key',
      `${key.asymmetricKeyType ?? 'unknown'}, ${bits} bits: banks take RSA of 2048 bits and more`,
      'Make a new RSA key, publish it in the directory, and set signingKeyFile and signingKeyId.',
    );
};
