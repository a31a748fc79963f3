import { expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { openBankingUk } from '../open-banking-uk.ts';
import { newTestClient, testTools } from '../test/new-test-client.ts';
import { type BankProfile, checkBankProfile } from './bank-profile.ts';
import { knownBanks } from './known-banks.ts';

const [first] = knownBanks();
if (!first) throw new Error('there are no production banks');

const usable = { ...first, isEnabled: true };

test('the production banks are well-formed, distinct and disabled', () => {
  const banks = knownBanks();
  expect(banks).toHaveLength(41);
  expect(new Set(banks.map((bank) => bank.id)).size).toBe(41);
  expect(banks.flatMap(checkBankProfile)).toEqual([]);
  expect(banks.filter((bank) => bank.isEnabled)).toEqual([]);
  for (const bank of banks) {
    expect(bank.issuer).toMatch(/^https:/);
    expect(bank.wellKnown).toMatch(/^https:.*openid-configuration$/);
    expect(bank.paymentsUrl).toMatch(/^https:/);
  }
});

test.for([
  [{ issuer: 'http://bank.example' }, '.issuer must be an https address, or http on this machine.'],
  [{ paymentsUrl: 'nonsense' }, '.paymentsUrl must be an https address, or http on this machine.'],
  [{ responseMode: 'post' }, '.responseMode "post" is none of jwt, fragment, query.'],
  [{ version: '5.0' }, '.version "5.0" is none of 3.1, 4.0.'],
  [{ quirks: ['signsTwice'] }, '.quirks has "signsTwice", which is not known.'],
  [{ tokenAuth: 'client_secret_basic' }, '.clientSecret is missing: the bank knows us by a secret'],
  [{ appAddress: 'javascript://x' }, '.appAddress must be the address of an app.'],
  [
    { earlier: { version: '3.1', paymentsUrl: 'http://bank.example' } },
    '.earlier.paymentsUrl must be an https address, or http on this machine.',
  ],
  [{ tokenScope: 'accounts' }, '.tokenScope must include "payments".'],
  [{ limitPence: pence(0) }, '.limitPence must be above zero.'],
  [{ colour: 'red' }, '.colour must be a colour such as #1a2b3c.'],
] as const)('a wrong setting is refused in one sentence', ([change, sentence]) => {
  const wrong = checkBankProfile({ ...usable, ...change } as BankProfile);
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toContain(`banks["${first.id}"]${sentence}`);
});

test('plain http is allowed for this machine only', () => {
  const at = (host: string) => checkBankProfile({ ...usable, issuer: `http://${host}/x` });
  for (const host of ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010'])
    expect(at(host)).toEqual([]);
  for (const host of ['127.0.0.1.example', '10.0.0.1', 'localhost.example'])
    expect(at(host)).toHaveLength(1);
});

test('opening reports every wrong setting without network access', async () => {
  const client = await newTestClient();
  const banks = [usable];
  expect(() =>
    openBankingUk({ client: { ...client, signingKeyPem: 'x' }, banks }, testTools()),
  ).toThrow('client.signingKeyPem is not a private key in PEM.');
  expect(() => openBankingUk({ client: { ...client, clientId: '' }, banks }, testTools())).toThrow(
    `banks["${first.id}"].clientId is missing: register there, or set client.clientId, or disable it.`,
  );
  const rail = openBankingUk({ client, banks }, testTools());
  expect(rail.institutions()).toMatchObject([{ id: first.id, isEnabled: true }]);
  expect(rail.institutions()[0]).not.toHaveProperty('issuer');
  await rail.close();
});
