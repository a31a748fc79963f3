import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { openReceiver } from '../../../../test/harness/open-receiver.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { type OpenBankingUk, openBankingUk } from './open-banking-uk.ts';
import type { BankProfile } from './settings/bank-profile.ts';
import { knownBanks } from './settings/known-banks.ts';
import { readRegistration } from './settings/read-registration.ts';
import { readSettingsFile } from './settings/read-settings-file.ts';
import { approveAtBank } from './test/approve-at-bank.ts';
import { brandAt, traitsOf } from './test/brand-at.ts';
import { findMissedPlants } from './test/find-missed-plants.ts';
import { findSchemaFaults } from './test/find-schema-faults.ts';
import { newOrder, testTools } from './test/new-test-client.ts';
import {
  accountRedirectUri,
  openSimulator,
  redirectUri,
  type Simulator,
} from './test/open-simulator.ts';
import { verified } from './test/verified.ts';
import { watchMessages } from './test/watch-messages.ts';

// Each brand of the list, at a simulated bank that does what the brand's row says, and refuses else.
const brands = knownBanks();
// No brand asks for the funds first: a bank of each version that does.
const confirming = ['tidewater-sandbox', 'confirms-in-version-3'];
const notifying = [
  ['larkrise-sandbox', '3.1.11'],
  ['northfield-sandbox', '4.0.1'],
] as const;
const further = new Set([...confirming, ...notifying.map(([id]) => id)]);
let simulator: Simulator;
let open: (profiles: readonly BankProfile[]) => OpenBankingUk;
let atSimulator: (brand: BankProfile) => BankProfile;
let rail: OpenBankingUk;
const opened: OpenBankingUk[] = [];
const messages = watchMessages();

const brandOf = (id: string): BankProfile => {
  const brand = brands.find((each) => each.id === id);
  if (!brand) throw new Error(`there is no brand ${id}`);
  return brand;
};

beforeAll(async () => {
  simulator = await openSimulator([
    ...brands.map((brand) => ({ id: brand.id, wire: traitsOf(brand) })),
    { id: 'confirms-in-version-3', wire: { version: '3.1', advisesFundsConfirmation: true } },
  ]);
  const settings = readRegistration(simulator.folder, redirectUri, accountRedirectUri);
  const { client } = settings;
  const file = readFileSync(join(simulator.folder, 'registration.json'), 'utf8');
  const registered: readonly (Parameters<typeof brandAt>[1] & { readonly id: string })[] =
    JSON.parse(file).banks;
  atSimulator = (brand) => {
    const bank = registered.find(({ id }) => id === brand.id);
    if (!bank) throw new Error(`the simulator has no bank ${brand.id}`);
    return brandAt(brand, bank);
  };
  open = (profiles) => {
    const next = openBankingUk({ client, banks: profiles }, testTools());
    opened.push(next);
    return next;
  };
  rail = open([...brands.map(atSimulator), ...settings.banks.filter(({ id }) => further.has(id))]);
});

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await simulator?.close();
});

const pay = async (
  through: OpenBankingUk,
  profile: Pick<BankProfile, 'id' | 'appAddress' | 'issuer'>,
) => {
  const order = newOrder({ institutionId: profile.id });
  const consent = verified(await through.createConsent(order), 'CREATED');
  // A phone opens the app; ours is the bank's page behind it.
  const address = profile.appAddress
    ? consent.authorisationUrl.replace(profile.appAddress, `${profile.issuer}/auth`)
    : consent.authorisationUrl;
  const parameters = (await approveAtBank(address, 'approve')) ?? {};
  const returned = verified(await through.readReturn(consent.state, parameters), 'AUTHORISED');
  const exchanged = verified(await through.exchange(returned.state, returned.code), 'EXCHANGED');
  const submitted = verified(await through.submit(exchanged.state), 'ACCEPTED');
  const consentIds = [consent.reference];
  await simulator.control('POST', '/clock/advance', { consentIds, milliseconds: 5_000 });
  const read = verified(await through.readPayment(submitted.state), 'STATUS');
  return { status: read.status, reference: consent.reference };
};

// Of the brands whose banks behave alike the first; every one in the long run.
const alike = (brand: BankProfile): string => JSON.stringify(traitsOf(brand));
const shown = brands.filter(
  (brand, at) => isLongRun || brands.findIndex((each) => alike(each) === alike(brand)) === at,
);

test.concurrent.each(shown.map(({ id }) => id))(
  'a payment is completed at %s',
  async (id) => {
    const { status, reference } = await pay(rail, atSimulator(brandOf(id)));
    expect(status.isoName).toBe('AcceptedSettlementCompletedDebitorAccount');
    const [booked] = await simulator.paymentsOf(reference);
    expect(booked).toMatchObject({ amountPence: 1234, reference: 'ORDER 17', debited: true });
  },
  60_000,
);

// A row without one of its facts takes no payment: so each fact is needed, and the bank strict.
test.concurrent.each<readonly [string, string, (brand: BankProfile) => BankProfile]>([
  ['natwest', 'an audience of its own', ({ requestObjectAudience: _aud, ...rest }) => rest],
  ['barclays-personal', 'the customer as subject', (brand) => withSubject(brand, 'consent')],
  ['virgin-money', 'the client as subject', (brand) => withSubject(brand, 'consent')],
  ['coutts', 'no acr', (brand) => demanding(brand, 'acr')],
  ['virgin-money', 'no nonce', (brand) => demanding(brand, 'nonce')],
  ['revolut', 'no intent id', (brand) => demanding(brand, 'intentId')],
  ['virgin-money', 'raw signatures', (brand) => without(brand, 'jwsB64HeaderFalse')],
  ['virgin-money', 'the scope with a code', (brand) => without(brand, 'scopeInTokenRequest')],
  ['revolut', 'the nonce in the query', (brand) => without(brand, 'nonceAlsoInQuery')],
  ['tide', 'no contract indicator', (brand) => without(brand, 'noContractPresentIndicator')],
  ['wise', 'an older context code', ({ contextCode: _code, ...rest }) => rest],
  ['nationwide', 'its financial id', ({ financialId: _id, ...rest }) => rest],
  ['zopa', 'the address of an app', ({ appAddress: _app, ...rest }) => rest],
  ['natwest', 'the token endpoint', (brand) => ({ ...brand, assertionAudience: 'issuer' })],
  ['natwest', 'our signing key', (brand) => ({ ...brand, tokenAuth: 'tls_client_auth' })],
  ['virgin-money', 'our secret', (brand) => ({ ...brand, clientSecret: 'another' })],
  ['hsbc-business', 'a code in the query', (brand) => ({ ...brand, responseMode: 'fragment' })],
  ['mettle', 'an id token', (brand) => ({ ...brand, responseMode: 'query' })],
  ['mettle', 'a request by value', (brand) => ({ ...brand, authorisation: 'par' })],
])('%s takes no payment from a client that does not know: %s', async (id, _fact, forget) => {
  const profile = forget(atSimulator(brandOf(id)));
  await expect(pay(open([profile]), profile)).rejects.toThrow();
});

const withSubject = (
  brand: BankProfile,
  subject: BankProfile['idTokenChecks']['subject'],
): BankProfile => ({ ...brand, idTokenChecks: { ...brand.idTokenChecks, subject } });

const demanding = (brand: BankProfile, claim: 'acr' | 'nonce' | 'intentId'): BankProfile => ({
  ...brand,
  idTokenChecks: { ...brand.idTokenChecks, [claim]: true },
});

const without = (brand: BankProfile, quirk: BankProfile['quirks'][number]): BankProfile => ({
  ...brand,
  quirks: brand.quirks.filter((each) => each !== quirk),
});

test.concurrent.each(confirming)(
  'at %s the funds are confirmed, and an order that comes again finds its consent',
  async (id) => {
    await pay(rail, { id, issuer: '' });
    const order = newOrder({ institutionId: id });
    const first = verified(await rail.createConsent(order), 'CREATED');
    expect(await rail.resolveSubmission(first.state)).toMatchObject({ kind: 'UNKNOWN' });
  },
);

test("a bank with a secret takes a payment by a firm's file, and the secret in another", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-secret-'));
  const brand = atSimulator(brandOf('virgin-money'));
  expect(brand.tokenAuth).toBe('client_secret_basic');
  writeFileSync(join(folder, 'virgin-money.secret'), `${brand.clientSecret}\n`);
  const { id, issuer, wellKnown, paymentsUrl, bankSigning } = brand;
  const row = { id, issuer, wellKnown, paymentsUrl, bankSigning };
  const client = {
    ...JSON.parse(readFileSync(join(simulator.folder, 'registration.json'), 'utf8')),
    signingKeyFile: join(simulator.folder, 'signing-key.pem'),
    transportCertificateFile: join(simulator.folder, 'transport.pem'),
    transportKeyFile: join(simulator.folder, 'transport-key.pem'),
    caFile: join(simulator.folder, 'ca.pem'),
  };
  const path = join(folder, 'banks.json');
  const readWith = (more: object) => {
    writeFileSync(path, JSON.stringify({ client, banks: [{ ...row, ...more }] }));
    const readVariable = (name: string) => (name === 'TEST_SECRET' ? 'another' : undefined);
    const settings = { settingName: 'TEST', redirectUri, accountRedirectUri, readVariable };
    return readSettingsFile({ ...settings, path });
  };
  const payWith = async (more: object) => {
    const through = openBankingUk(readWith(more), testTools());
    opened.push(through);
    return (await pay(through, brand)).status.isoName;
  };
  expect(await payWith({ clientSecretFile: 'virgin-money.secret' })).toBe(
    'AcceptedSettlementCompletedDebitorAccount',
  );
  await expect(payWith({ clientSecretVariable: 'TEST_SECRET' })).rejects.toThrow('CREATED');
  await expect(payWith({})).rejects.toThrow('clientSecret is missing');
  expect(() => readWith({ clientSecretFile: 'no.secret' })).toThrow('no.secret cannot be read');
  rmSync(folder, { recursive: true });
});

test.each(notifying)(
  '%s sends what became of a payment as version %s says',
  async (id, version) => {
    const receiver = await openReceiver();
    const url = new URL(receiver.url).origin;
    expect(await rail.events?.subscribe(id, url)).toEqual({ kind: 'CREATED' });
    await pay(rail, { id, issuer: '' });
    const sent = await waitUntil(async () => receiver.received[0] ?? null);
    expect(sent.path).toBe(`/${id}/open-banking/v${version.slice(0, 3)}/event-notifications`);
    expect(sent.headers['content-type']).toBe('application/jwt');
    const [header, claims] = sent.body
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toMatchObject({ alg: 'PS256', typ: 'secevent+jwt' });
    expect(findSchemaFaults('OBEventNotification1', JSON.parse(claims ?? ''), version)).toEqual([]);
    expect(await rail.events?.readNotification(id, sent.body)).toMatchObject({ kind: 'PAYMENT' });
    await receiver.close();
  },
);

const called = (version: string) => [
  `${version} GET /domestic-payment-consents/{ConsentId}`,
  `${version} GET /domestic-payment-consents/{ConsentId}/funds-confirmation`,
  `${version} GET /domestic-payments/{DomesticPaymentId}`,
  `${version} GET /event-subscriptions`,
  `${version} POST /domestic-payment-consents`,
  `${version} POST /domestic-payments`,
  `${version} POST /event-subscriptions`,
];

test('every message is one that the standard describes, and a planted fault is found', () => {
  const { faults, operations, lastOf } = messages.stop();
  expect(faults).toEqual([]);
  expect(operations).toEqual([...called('3.1.11'), ...called('4.0.1')]);
  for (const version of ['3.1.11', '4.0.1'] as const)
    expect(findMissedPlants(lastOf(`${version} POST /domestic-payment-consents`))).toEqual([]);
});
