import 'reflect-metadata';
import { createPrivateKey, randomBytes, type webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ellipticCurve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const lifetimeMs = 10 * 365 * 24 * 60 * 60 * 1000;
const backdatedMs = 60 * 60 * 1000;

type IssuedCertificate = {
  readonly certificatePem: string;
  readonly keyPem: string;
};

export const issueAuthority = async (name: string, now: number): Promise<IssuedCertificate> => {
  const keys = await crypto.subtle.generateKey(ellipticCurve, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    serialNumber: serialNumber(),
    ...validity(now),
    signingAlgorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: pemOf(certificate), keyPem: await pemOfKey(keys.privateKey) };
};

export const issueServerCertificate = async (
  authority: IssuedCertificate,
  hosts: readonly string[],
  now: number,
): Promise<IssuedCertificate> => {
  const names = hosts.map((host) => ({ type: isIP(host) ? 'ip' : 'dns', value: host }) as const);
  return issue(authority, now, `CN=${hosts[0] ?? 'localhost'}`, [
    new SubjectAlternativeNameExtension([...names]),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
  ]);
};

export const issueTransportCertificate = async (
  authority: IssuedCertificate,
  party: { readonly softwareStatementId: string; readonly organisationId: string },
  now: number,
): Promise<IssuedCertificate> => {
  const subject = `CN=${party.softwareStatementId}, OU=${party.organisationId}, O=Sandbox, C=GB`;
  return issue(authority, now, subject, [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
  ]);
};

const issue = async (
  authority: IssuedCertificate,
  now: number,
  subject: string,
  extensions: readonly Extension[],
): Promise<IssuedCertificate> => {
  const keys = await crypto.subtle.generateKey(ellipticCurve, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: new X509Certificate(authority.certificatePem).subject,
    serialNumber: serialNumber(),
    ...validity(now),
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(authority),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  return { certificatePem: pemOf(certificate), keyPem: await pemOfKey(keys.privateKey) };
};

const validity = (now: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(now - backdatedMs),
  notAfter: new Date(now + lifetimeMs),
});

// A leading 01 keeps the number positive and its length fixed.
const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

const signingKeyOf = (authority: IssuedCertificate): Promise<webcrypto.CryptoKey> => {
  const der = createPrivateKey(authority.keyPem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), ellipticCurve, false, ['sign']);
};

const pemOfKey = async (key: webcrypto.CryptoKey): Promise<string> => {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
};

const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem').trim()}\n`;
