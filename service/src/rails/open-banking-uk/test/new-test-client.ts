import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { CryptoKey } from 'jose';
import { exportPKCS8, generateKeyPair } from 'jose';
import { pence } from '#kernel/pence.ts';
import { randomIds, systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { silentLog } from '#platform/log.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { OpenBankingClient, OpenBankingTools } from '../settings/settings.ts';

/** A client with keys of its own and a certificate that it signed itself. */
export const newTestClient = async (): Promise<OpenBankingClient> => {
  const [signing, transport] = await Promise.all([newRsaPair(), newRsaPair()]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: '01',
      name: 'CN=florin-test',
      notBefore: new Date('2020-01-01'),
      notAfter: new Date('2050-01-01'),
      keys: transport as unknown as webcrypto.CryptoKeyPair,
      signingAlgorithm: { name: 'RSA-PSS', saltLength: 32 },
    },
    webcrypto as never,
  );
  return {
    clientId,
    organisationId: 'florin-org',
    softwareStatementId: 'florin-software',
    signingKeyId: 'florin-key',
    signingKeyPem: await exportPKCS8(signing.privateKey as CryptoKey),
    transportCertificatePem: certificate.toString('pem'),
    transportKeyPem: await exportPKCS8(transport.privateKey as CryptoKey),
    trustAnchor: 'trust',
    redirectUri: 'https://florin.example/return',
    accountRedirectUri: 'https://florin.example/link-return',
  };
};

export const testTools = (log: Log = silentLog): OpenBankingTools => ({
  clock: systemClock,
  ids: randomIds(),
  log,
});

const ids = randomIds();

export const newOrder = (change: Partial<BankPaymentOrder> = {}): BankPaymentOrder => ({
  institutionId: 'scripted',
  endToEndId: ids.token(128),
  instructionId: ids.token(128),
  amountPence: pence(1234),
  creditor: { sortCode: '200000', accountNumber: '55779911', name: 'Blue Teapot Ltd' },
  reference: 'ORDER 17',
  contextCode: 'EcommerceMerchantInitiatedPayment',
  merchantCategoryCode: '5812',
  merchantCustomerReference: 'customer-9',
  oauthState: ids.token(192),
  payerAddress: '203.0.113.9',
  payerUserAgent: 'Mozilla/5.0',
  ...change,
});

export const clientId = 'florin-test';

export const newRsaPair = () =>
  generateKeyPair('PS256', { extractable: true, modulusLength: 2048 });
