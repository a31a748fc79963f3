import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Log } from '#platform/log.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { longTest } from '../../../../test/harness/long-test.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { OpenBankingUk } from './open-banking-uk.ts';
import { openBankingUk } from './open-banking-uk.ts';
import { readRegistration } from './settings/read-registration.ts';
import { approveAtBank } from './test/approve-at-bank.ts';
import { newOrder as anyOrder, newTestClient, testTools } from './test/new-test-client.ts';
import type { Simulator } from './test/open-simulator.ts';
import {
  accountRedirectUri,
  openSimulator,
  redirectUri,
  simulatedBankId,
} from './test/open-simulator.ts';
import { verified } from './test/verified.ts';

// The whole wire: HTTP, mutual TLS and a simulator in a process of its own.
let simulator: Simulator;
let rail: OpenBankingUk;
const lines: string[] = [];

const write = (fields: object, message: string) => {
  lines.push(JSON.stringify({ ...fields, message }));
};
const log: Log = { debug: write, info: write, warn: write, error: write };

beforeAll(async () => {
  simulator = await openSimulator();
  rail = openBankingUk(
    readRegistration(simulator.folder, redirectUri, accountRedirectUri),
    testTools(log),
  );
});

beforeEach(() => simulator.control('DELETE', '/faults'));

afterAll(async () => {
  await rail?.close();
  await simulator?.close();
});

const newOrder = (change: Partial<BankPaymentOrder> = {}) =>
  anyOrder({ institutionId: simulatedBankId, ...change });

const create = async (order = newOrder()) => verified(await rail.createConsent(order), 'CREATED');

const returned = async (login: string, order = newOrder()) => {
  const consent = await create(order);
  const parameters = (await approveAtBank(consent.authorisationUrl, login)) ?? {};
  return { consent, parameters, outcome: await rail.readReturn(consent.state, parameters) };
};

const exchanged = async (login: string, order = newOrder()) => {
  const { consent, outcome } = await returned(login, order);
  const { state, code } = verified(outcome, 'AUTHORISED');
  const { state: ready } = verified(await rail.exchange(state, code), 'EXCHANGED');
  return { reference: consent.reference, state: ready };
};

const readStatus = async (state: string) =>
  verified(await rail.readPayment(state), 'STATUS').status;

const reaches = (state: string, isoCode: string) =>
  waitUntil(async () => {
    const status = await readStatus(state);
    return status.isoCode === isoCode ? status : null;
  });

const bookedOnce = async (reference: string) => {
  const booked = await simulator.paymentsOf(reference);
  expect(booked).toHaveLength(1);
  return booked[0];
};

test('a payment is consented to, approved, submitted and settled', async () => {
  const order = newOrder();
  const { reference, state } = await exchanged('approve', order);
  const submitted = verified(await rail.submit(state), 'ACCEPTED');
  expect(submitted.status).toMatchObject({
    isoCode: 'RCVD',
    changedAt: expect.any(Date),
    payer: {
      sortCode: expect.stringMatching(/^\d{6}$/),
      accountNumber: expect.stringMatching(/^\d{8}$/),
    },
  });
  expect(await reaches(submitted.state, 'ACSC')).not.toHaveProperty('errorCode');
  expect(await bookedOnce(reference)).toMatchObject({
    amountPence: 1234,
    reference: 'ORDER 17',
    endToEndIdentification: order.endToEndId,
    debited: true,
  });
});

// Each login over the whole product: test/journeys/bank/magic-logins.test.ts.
const logins = [
  ['insufficient-funds', 'RJCT', 'AM04'],
  ['not-posted', 'ACWP', undefined],
  ['payee-closed', 'RJCT', 'AC04'],
  ['credited', 'ACCC', undefined],
  ['every-step', 'ACCC', undefined],
  ['blocked', 'BLCK', 'RR04'],
  ['never-settles', 'ACSP', undefined],
  ['settled-late', 'ACSP', undefined],
  ['rejected-late', 'ACSP', undefined],
  ['pending-forever', 'PDNG', undefined],
  ['stuck', 'PDNG', undefined],
  ['rejected-settled', 'ACSC', undefined],
  ['slow', 'PDNG', undefined],
  ['hidden-account', 'ACSC', undefined],
] as const;

test.concurrent.each(isLongRun ? logins : logins.slice(0, 2))(
  'login %s: the payment reaches %s',
  async (login, isoCode, errorCode) => {
    const { state } = await exchanged(login);
    const submitted = verified(await rail.submit(state), 'ACCEPTED');
    const status = await reaches(submitted.state, isoCode);
    expect(status.errorCode).toBe(errorCode);
  },
  40_000,
);

test('a payment reversed long after settlement is read as rejected', async () => {
  const { reference, state } = await exchanged('rejected-settled');
  const submitted = verified(await rail.submit(state), 'ACCEPTED');
  await simulator.control('POST', '/clock/advance', {
    consentIds: [reference],
    milliseconds: 180_000,
  });
  expect(await reaches(submitted.state, 'RJCT')).toMatchObject({ errorCode: 'MS03' });
});

test('a refusal by the payer differs from a failure of the bank', async () => {
  expect((await returned('decline')).outcome).toMatchObject({ kind: 'DECLINED', byPayer: true });
  expect((await returned('bank-error')).outcome).toMatchObject({
    kind: 'DECLINED',
    byPayer: false,
    code: 'server_error',
  });
  const { authorisationUrl } = await create();
  expect(await approveAtBank(authorisationUrl, 'abandon')).toBeNull();
});

test('a code that the bank does not exchange is rejected', async () => {
  const { outcome } = await returned('token-error');
  const { state, code } = verified(outcome, 'AUTHORISED');
  expect(await rail.exchange(state, code)).toMatchObject({
    kind: 'REFUSED',
    code: 'invalid_grant',
  });
});

test('a code is exchanged once', async () => {
  const { outcome } = await returned('approve');
  const { state, code } = verified(outcome, 'AUTHORISED');
  verified(await rail.exchange(state, code), 'EXCHANGED');
  expect(await rail.exchange(state, code)).toMatchObject({ kind: 'REFUSED' });
});

test('a return of another payment, or a changed one, is invalid', async () => {
  const one = await returned('approve');
  const other = await create();
  expect(await rail.readReturn(other.state, one.parameters)).toMatchObject({ kind: 'INVALID' });
  const response = `${one.parameters.response}`.replace(/.(?=.{300}$)/, (letter) =>
    letter === 'A' ? 'B' : 'A',
  );
  expect(await rail.readReturn(one.consent.state, { response })).toMatchObject({ kind: 'INVALID' });
  expect(one.outcome.kind).toBe('AUTHORISED');
});

test('one payment is found after an answer lost behind the booking', async () => {
  const { reference, state } = await exchanged('lost-answer');
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
  const resolved = verified(await rail.resolveSubmission(state), 'ACCEPTED');
  await reaches(resolved.state, 'ACSC');
  expect(await bookedOnce(reference)).toMatchObject({ debited: true });
});

test('a request lost before the booking is sent again', async () => {
  const { reference, state } = await exchanged('lost-request');
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
  expect(await simulator.paymentsOf(reference)).toHaveLength(0);
  verified(await rail.resolveSubmission(state), 'ACCEPTED');
  await bookedOnce(reference);
});

test('a bank that is down is polled until it answers', async () => {
  const { reference, state } = await exchanged('bank-down');
  expect(await rail.submit(state)).toMatchObject({ kind: 'UNKNOWN' });
  expect(await rail.resolveSubmission(state)).toMatchObject({ kind: 'UNKNOWN' });
  await waitUntil(async () => {
    const outcome = await rail.resolveSubmission(state);
    return outcome.kind === 'ACCEPTED' ? outcome : null;
  });
  await bookedOnce(reference);
});

test('concurrent submissions are one payment', async () => {
  const { reference, state } = await exchanged('approve');
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => rail.submit(state)));
  const ids = outcomes.map((outcome) => JSON.parse(verified(outcome, 'ACCEPTED').state).paymentId);
  expect(new Set(ids).size).toBe(1);
  await bookedOnce(reference);
});

test('the same order twice is one consent', async () => {
  const order = newOrder();
  const first = await create(order);
  const second = await create(order);
  expect(second.reference).toBe(first.reference);
  expect(second.authorisationUrl).not.toBe(first.authorisationUrl);
});

test('a consent with a lost answer is found under its key', async () => {
  const order = newOrder();
  await simulator.fault('consent', 'cut-after');
  expect(await rail.createConsent(order)).toMatchObject({ kind: 'UNKNOWN' });
  verified(await rail.createConsent(order), 'CREATED');
});

test('a bank without tokens is unavailable now and available later', async () => {
  const fresh = openBankingUk(
    readRegistration(simulator.folder, redirectUri, accountRedirectUri),
    testTools(log),
  );
  await simulator.fault('token', 'down');
  expect(await fresh.createConsent(newOrder())).toMatchObject({
    kind: 'REFUSED',
    code: 'BANK_UNAVAILABLE',
  });
  await waitUntil(async () => {
    const outcome = await fresh.createConsent(newOrder());
    return outcome.kind === 'CREATED' ? outcome : null;
  });
  await fresh.close();
});

test('a bank with a foreign certificate receives nothing', async () => {
  const settings = readRegistration(simulator.folder, redirectUri, accountRedirectUri);
  const { transportCertificatePem: caPem } = await newTestClient();
  const wary = openBankingUk(
    { ...settings, client: { ...settings.client, caPem } },
    testTools(log),
  );
  expect(await wary.createConsent(newOrder())).toMatchObject({ code: 'BANK_UNAVAILABLE' });
  const at = settings.banks.find(({ id }) => id === simulatedBankId);
  const clientId = at?.clientId ?? settings.client.clientId;
  expect(wary.clientIds?.()).toMatchObject({ [simulatedBankId]: clientId });
  await wary.close();
});

test('our token is renewed when the bank rejects it', async () => {
  await simulator.fault('consent', 'status', { status: 401 });
  await create();
  const { state } = await exchanged('approve');
  const submitted = verified(await rail.submit(state), 'ACCEPTED');
  await simulator.fault('read', 'status', { status: 401 });
  await readStatus(submitted.state);
});

longTest(
  'twenty concurrent payers are served',
  async () => {
    const journeys = Array.from({ length: 20 }, async () => {
      const { reference, state } = await exchanged('approve');
      const submitted = verified(await rail.submit(state), 'ACCEPTED');
      await reaches(submitted.state, 'ACSC');
      await bookedOnce(reference);
    });
    await Promise.all(journeys);
  },
  60_000,
);

test('the log has no token, code, account or name', () => {
  expect(lines.length).toBeGreaterThan(100);
  const text = lines.join('\n');
  for (const secret of ['55779911', 'Blue Teapot', '203.0.113.9', 'eyJ', 'Bearer', 'customer-9'])
    expect(text).not.toContain(secret);
  const allowed = new Set([
    'bank',
    'operation',
    'status',
    'durationMs',
    'interactionId',
    'why',
    'message',
  ]);
  for (const line of lines)
    for (const name of Object.keys(JSON.parse(line))) expect(allowed).toContain(name);
});
