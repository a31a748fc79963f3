import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { OpenBankingClient } from '../settings/settings.ts';
import { newTestClient } from '../test/new-test-client.ts';
import { checkClientKeys } from './check-client.ts';
import { explainConnectionFault } from './finding.ts';

// The certificate is valid from 2020 to 2050.
const now = new Date('2026-11-02');
let client: OpenBankingClient;
let other: OpenBankingClient;
beforeAll(async () => {
  [client, other] = await Promise.all([newTestClient(), newTestClient()]);
});

const levelsOf = (change: Partial<OpenBankingClient>, at = now) =>
  Object.fromEntries(
    checkClientKeys({ ...client, ...change }, at).map(({ check, level }) => [check, level]),
  );

test('keys and a certificate that belong together are fine', () => {
  expect(levelsOf({ organisationId: 'florin-test' })).toEqual({
    'transport certificate': 'OK',
    'transport key': 'OK',
    'signing key': 'OK',
  });
});

test.each([
  ['2049-12-15', 'WARNING'],
  ['2050-01-02', 'FAULT'],
  ['2019-12-31', 'FAULT'],
])('on %s the certificate is a %s', (day, level) => {
  expect(levelsOf({}, new Date(day))).toMatchObject({ 'transport certificate': level });
});

test('a key of another certificate, a short key and a wrong organisation are found', () => {
  expect(levelsOf({ transportKeyPem: other.transportKeyPem })).toMatchObject({
    'transport key': 'FAULT',
  });
  expect(levelsOf({ organisationId: 'another-firm' })).toMatchObject({
    'name in the certificate': 'WARNING',
  });
  expect(levelsOf({ signingKeyPem: ellipticKeyPem })).toMatchObject({ 'signing key': 'FAULT' });
});

test('each fault says what to do', () => {
  const findings = checkClientKeys(
    { ...client, transportKeyPem: other.transportKeyPem },
    new Date('2050-01-02'),
  );
  for (const { level, fix } of findings) if (level !== 'OK') expect(fix).toMatch(/\.$/);
});

test.each([
  ['CERT_HAS_EXPIRED', /only the bank/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /caFile/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /caFile/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /transport certificate/],
  ['ENOTFOUND', /DNS/],
  ['ECONNREFUSED', /firewall/],
  ['UND_ERR_HEADERS_TIMEOUT', /firewall/],
  ['E_SOMETHING_ELSE', /contact the bank/],
])('%s is explained', (code, words) => {
  expect(explainConnectionFault(code)).toMatch(words);
});

const ellipticKeyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();
