import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenBankingUk, openBankingUk } from './open-banking-uk.ts';
import type { BankProfile } from './settings/bank-profile.ts';
import { productionBanks } from './settings/production-banks.ts';
import { readRegistration } from './settings/read-registration.ts';
import { approveAtBank } from './test/approve-at-bank.ts';
import { brandAt, traitsOf } from './test/brand-at.ts';
import { findMissedPlants } from './test/find-missed-plants.ts';
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
const brands = productionBanks();
// No brand asks for the funds first: a bank of each version that does.
const asking = ['tidewater-sandbox', 'asks-in-version-3'];
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
    { id: 'asks-in-version-3', wire: { version: '3.1', advisesFundsConfirmation: true } },
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
  rail = open([
    ...brands.map(atSimulator),
    ...settings.banks.filter(({ id }) => asking.includes(id)),
  ]);
}, 90_000);

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

test.concurrent.each(brands.map(({ id }) => id))(
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

test.concurrent.each(asking)(
  'at %s the funds are confirmed, and an order that comes again finds its consent',
  async (id) => {
    await pay(rail, { id, issuer: '' });
    const order = newOrder({ institutionId: id });
    const first = verified(await rail.createConsent(order), 'CREATED');
    expect(await rail.resolveSubmission(first.state)).toMatchObject({ kind: 'UNKNOWN' });
  },
);

const called = (version: string) => [
  `${version} GET /domestic-payment-consents/{ConsentId}`,
  `${version} GET /domestic-payment-consents/{ConsentId}/funds-confirmation`,
  `${version} GET /domestic-payments/{DomesticPaymentId}`,
  `${version} POST /domestic-payment-consents`,
  `${version} POST /domestic-payments`,
];

test('every message is one that the standard describes, and a planted fault is found', () => {
  const { faults, operations, lastOf } = messages.stop();
  expect(faults).toEqual([]);
  expect(operations).toEqual([...called('3.1.11'), ...called('4.0.1')]);
  for (const version of ['3.1.11', '4.0.1'] as const)
    expect(findMissedPlants(lastOf(`${version} POST /domestic-payment-consents`))).toEqual([]);
});
