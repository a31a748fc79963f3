import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSimulatorDatabase } from '../../test/harness/database/open-test-database.ts';
import { discardFolder } from '../../test/harness/discard-folder.ts';
import { isLongRun } from '../../test/harness/is-long-run.ts';
import { findTestPort } from '../../test/harness/programs/find-test-port.ts';
import {
  openTestSimulator,
  redirectUri,
  type TestSimulator,
} from '../../test/harness/simulator/open-test-simulator.ts';
import { openSimulator } from './open-simulator.ts';
import { readSettings } from './settings.ts';
import { systemClock } from './system-clock.ts';
import { accountClient } from './testing/account-client.ts';
import { findCaseFaults } from './testing/conformance/find-case-faults.ts';
import { openSuite } from './testing/conformance/open-suite.ts';
import {
  type Case,
  notApplicable,
  notApplicableCases,
  readCases,
  type Version,
} from './testing/conformance/read-cases.ts';
import { findIssuerFaults } from './testing/find-chain-faults.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import { createConsent, exchange } from './testing/payment-steps.ts';
import { openBrowser } from './testing/visit-bank.ts';
import { issueAuthority } from './trust/issued-certificate.ts';

let simulator: TestSimulator;
let client: HonestClient;
beforeAll(async () => {
  simulator = await openTestSimulator();
  client = await honestClient(simulator.trustFolder);
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

const [first] = readCases('payment', '4.0').slice(0, 1) as [Case];

const suites = [
  ['accounts', 'accounts_transactions', '3.1'],
  ['accounts', 'accounts_transactions', '4.0'],
  ['payments', 'payment', '3.1'],
  ['payments', 'payment', '4.0'],
] as const satisfies readonly (readonly ['accounts' | 'payments', string, Version])[];

test.each(isLongRun ? suites : suites.filter(([, , version]) => version === '4.0'))(
  'the official cases of %s (%s) in version %s pass, or are not applicable for a reason',
  async (api, manifest, version) => {
    const suite = await openSuite(client, api, version);
    const passed: string[] = [];
    const failed: string[] = [];
    const left = new Map<string, number>();
    for (const one of readCases(manifest, version)) {
      const { faults } = await suite.run(one);
      const reason = notApplicable(one);
      if (reason !== null && faults.length > 0) left.set(reason, (left.get(reason) ?? 0) + 1);
      else if (faults.length === 0 && reason === null) passed.push(one.id);
      else failed.push(`${one.id} ${reason ? `passes, yet: ${reason}` : faults.join('; ')}`);
    }
    const leftOut = [...left.values()].reduce((sum, count) => sum + count, 0);
    const reasons = [...left].map(([reason, count]) => `  ${count} not applicable: ${reason}`);
    process.stdout.write(
      [
        `conformance ${api} v${version}: ${passed.length} passed, ${failed.length} failed,`,
        `  ${leftOut} not applicable`,
        ...reasons,
        '',
      ].join('\n'),
    );
    expect(failed).toEqual([]);
  },
);

test('the runner sees what is wrong: a status, a member, a header, the last of a condition', () => {
  const answer = (more: object) => ({ status: 200, headers: {}, body: {}, text: '', ...more });
  const faults = (asserts: object, more: object = {}) =>
    findCaseFaults({ ...first, asserts: [], ...asserts }, answer(more), {}).length;
  expect(faults({ asserts: ['OB3GLOAssertOn200'] })).toBe(0);
  expect(faults({ asserts: ['OB3GLOAssertOn401'] })).toBe(1);
  expect(faults({ asserts: ['OB3GLOFAPIHeader'] })).toBe(1);
  expect(faults({ asserts_one_of: ['OB3GLOAssertOn400', 'OB3GLOAssertOn403'] })).toBe(2);
  expect(faults({ asserts_one_of: ['OB3GLOAssertOn400', 'OB3GLOAssertOn200'] })).toBe(0);
  const signed = ['OB3GLOAssertSignatureMissingClaimErrorCodeV4'];
  const errors = (ErrorCode: string) => ({ body: { Errors: [{ ErrorCode }] } });
  expect(faults({ asserts: signed }, errors('U017'))).toBe(0);
  expect(faults({ asserts: signed }, errors('U016'))).toBe(1);
  const ifAll = ['OB3GLOAssertOn200', 'OB3GLOAssertNumberOfPayments'];
  expect(faults({ asserts_last_if_all: ifAll })).toBe(1);
  expect(faults({ asserts_last_if_all: ifAll }, { status: 400 })).toBe(0);
});

test('what is not applicable is a case of the suite', () => {
  const known = suites.flatMap(([, manifest, version]) =>
    readCases(manifest, version).map(({ id }) => id.replace(/^OB-\d+-/, '')),
  );
  expect(notApplicableCases.filter((name) => !known.includes(name))).toEqual([]);
});

test('as the README runs the suite: a given authority, an RSA key of the client, no page', async () => {
  const database = await openSimulatorDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'florin-automatic-'));
  const authority = await issueAuthority('Conformance', systemClock.now());
  const [certificateFile, keyFile] = [join(folder, 'given-ca.pem'), join(folder, 'given-key.pem')];
  await writeFile(certificateFile, authority.certificatePem);
  await writeFile(keyFile, authority.keyPem);
  const ports = await Promise.all([1, 2, 3].map(() => findTestPort()));
  const settings = readSettings({
    SIMULATOR_PORT: String(ports[0]),
    SIMULATOR_MTLS_PORT: String(ports[1]),
    SIMULATOR_CARDS_PORT: String(ports[2]),
    SIMULATOR_DATABASE_URL: database.url,
    SIMULATOR_TRUST_FOLDER: join(folder, 'trust'),
    SIMULATOR_CA_CERTIFICATE: certificateFile,
    SIMULATOR_CA_KEY: keyFile,
    SIMULATOR_CLIENT_KEY: 'rsa',
    SIMULATOR_REDIRECT_URIS: redirectUri,
    SIMULATOR_AUTO_CUSTOMER: 'approve',
  });
  const opened = await openSimulator(settings, systemClock, () => undefined);
  const suite = await honestClient(join(folder, 'trust'));
  const transport = new X509Certificate(await readFile(join(folder, 'trust', 'transport.pem')));
  expect(transport.publicKey.asymmetricKeyType).toBe('rsa');
  expect(findIssuerFaults(transport, new X509Certificate(authority.certificatePem))).toEqual([]);
  const consents = [
    ['payments', (await createConsent(suite)).consentId],
    ['accounts', (await accountClient(suite, '4.0').createConsent()).consentId],
  ] as const;
  for (const [scope, consentId] of consents) {
    const visit = await suite.authorisationUrl(consentId, undefined, scope);
    const returned = await openBrowser().visit(visit.url);
    expect(returned.url).toMatch(redirectUri);
    const tokens = await exchange(suite, visit, returned.url);
    expect(tokens.scope?.split(' ')).toContain(scope);
  }
  await suite.close();
  await opened.stop();
  await database.close();
  await discardFolder(folder);
});

test('an authority has a certificate and a key', () => {
  const settings = { SIMULATOR_DATABASE_URL: 'x', SIMULATOR_TRUST_FOLDER: 'y' };
  expect(() => readSettings({ ...settings, SIMULATOR_CA_KEY: 'key.pem' })).toThrow('set together');
});
