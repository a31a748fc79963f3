import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { CryptoKey } from 'jose';
import { exportPKCS8 } from 'jose';
import { newRsaPair } from './new-test-client.ts';

/** Over TLS a bank without accounts, whose certificate has expired until it is renewed. */
export const openTlsBank = async () => {
  const keys = await newRsaPair();
  const key = await exportPKCS8(keys.privateKey as CryptoKey);
  const issue = async (notAfter: string): Promise<string> => {
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        serialNumber: '02',
        name: 'CN=localhost',
        notBefore: new Date('2020-01-01'),
        notAfter: new Date(notAfter),
        keys: keys as unknown as webcrypto.CryptoKeyPair,
        signingAlgorithm: { name: 'RSA-PSS', saltLength: 32 },
        extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
      },
      webcrypto as never,
    );
    return certificate.toString('pem');
  };
  const [expired, renewed] = await Promise.all([issue('2021-01-01'), issue('2050-01-01')]);
  let received = 0;
  const server = createServer({ cert: expired, key }, (request, response) => {
    received += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ Data: { Account: [] } }));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/aisp`,
    caPem: `${expired}\n${renewed}`,
    /** Requests that reached it, with whatever token they carried. */
    received: () => received,
    renew: () => server.setSecureContext({ cert: renewed, key }),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
