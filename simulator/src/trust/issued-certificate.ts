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

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
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
    // As openssl encodes it: an issuer's name is copied byte for byte.
    name: [{ CN: [`#${utf8String(name)}`] }],
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
  key: 'ec' | 'rsa' = 'ec',
): Promise<IssuedCertificate> => {
  const subject = `CN=${party.softwareStatementId}, OU=${party.organisationId}, O=Sandbox, C=GB`;
  const extensions = [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
  return issue(authority, now, subject, extensions, key === 'rsa' ? rsa : ellipticCurve);
};

export const issueSigningCertificate = async (
  authority: IssuedCertificate,
  publicJwk: webcrypto.JsonWebKey,
  name: string,
  now: number,
): Promise<string> => {
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty: publicJwk.kty, n: publicJwk.n, e: publicJwk.e } as webcrypto.JsonWebKey,
    rsa,
    true,
    ['verify'],
  );
  return pemOf(await certify(authority, now, `CN=${name}, O=Sandbox, C=GB`, publicKey, []));
};

const issue = async (
  authority: IssuedCertificate,
  now: number,
  subject: string,
  extensions: readonly Extension[],
  algorithm: typeof rsa | typeof ellipticCurve = ellipticCurve,
): Promise<IssuedCertificate> => {
  const keys = (await crypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await certify(authority, now, subject, keys.publicKey, extensions);
  return { certificatePem: pemOf(certificate), keyPem: await pemOfKey(keys.privateKey) };
};

const certify = async (
  authority: IssuedCertificate,
  now: number,
  subject: string,
  publicKey: webcrypto.CryptoKey,
  extensions: readonly Extension[],
): Promise<X509Certificate> =>
  X509CertificateGenerator.create({
    subject,
    // The name itself, not its text: clients such as Go compare the bytes.
    issuer: new X509Certificate(authority.certificatePem).subjectName,
    serialNumber: serialNumber(),
    ...validity(now),
    signingAlgorithm,
    publicKey,
    signingKey: await signingKeyOf(authority),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });

const validity = (now: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(now - backdatedMs),
  notAfter: new Date(now + lifetimeMs),
});

// A leading 01 keeps the number positive and its length fixed.
const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

const utf8String = (text: string): string => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x0c, bytes.length]), bytes]).toString('hex');
};

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
