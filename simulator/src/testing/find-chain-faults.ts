import 'reflect-metadata';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { X509Certificate as Certificate } from '@peculiar/x509';

type Key = {
  readonly kty?: string | undefined;
  readonly n?: string | undefined;
  readonly x5c?: readonly string[] | undefined;
};

/** What a client as strict as Go's finds wrong with the certificates of a key in a key set. */
export const findChainFaults = ({ kty, n, x5c = [] }: Key): readonly string[] => {
  const [leaf, authority] = x5c.map((text) => new X509Certificate(Buffer.from(text, 'base64')));
  if (!leaf || !authority) return ['no x5c of a key and its authority'];
  const shown = createPublicKey(leaf.publicKey.export({ type: 'spki', format: 'pem' })).export({
    format: 'jwk',
  });
  return [
    ...(shown.kty === kty && shown.n === n ? [] : ['x5c is of another key']),
    ...findIssuerFaults(leaf, authority),
  ];
};

export const findIssuerFaults = (
  leaf: X509Certificate,
  authority: X509Certificate,
): readonly string[] => [
  ...(leaf.verify(authority.publicKey) ? [] : ['its authority did not sign it']),
  ...(namesOf(leaf).issuer === namesOf(authority).subject
    ? []
    : ['the bytes of its issuer are not those of the subject of its authority']),
];

const namesOf = (certificate: X509Certificate) => {
  const { issuerName, subjectName } = new Certificate(certificate.raw);
  const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');
  return { issuer: hex(issuerName.toArrayBuffer()), subject: hex(subjectName.toArrayBuffer()) };
};
