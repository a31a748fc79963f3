import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** A key and a certificate for 127.0.0.1 that no authority has signed. */
export const selfSigned = async (): Promise<{ readonly key: string; readonly cert: string }> => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const dayMs = 24 * 60 * 60 * 1000;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=127.0.0.1',
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + dayMs),
      keys: keys as never,
      signingAlgorithm: algorithm,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
    },
    webcrypto as never,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const lines =
    Buffer.from(key)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const wrapped = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''];
  return { key: wrapped.join('\n'), cert: certificate.toString('pem') };
};
