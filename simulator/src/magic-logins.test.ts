import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../test/harness/is-long-run.ts';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../test/harness/simulator/open-test-simulator.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { magicLogins } from './bank/magic-logins.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import {
  type Authorised,
  authorise,
  consentBody,
  createConsent,
  exchange,
  statusOf,
  submit,
} from './testing/payment-steps.ts';
import { visitBank } from './testing/visit-bank.ts';

let simulator: TestSimulator;
let client: HonestClient;

beforeAll(async () => {
  simulator = await openTestSimulator();
  client = await honestClient(simulator.trustFolder, 'northfield-sandbox');
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

const forward = (authorised: Authorised, milliseconds: number) =>
  client.control('POST', '/clock/advance', {
    consentIds: [authorised.consentId],
    milliseconds,
  });

const line = async ({ consentId }: Authorised) =>
  (await client.control('GET', `/payments?consentIds=${consentId}`)).body[0];

describe('logins with an outcome of the standard', () => {
  const outcomes = magicLogins.filter(
    (entry) => entry.atLogin === 'ask' && entry.token === 'issue' && entry.submission === 'answer',
  );
  // test/journeys/bank/magic-logins.test.ts has each over the whole product.
  test.each(isLongRun ? outcomes : outcomes.filter(({ name }) => name !== 'slow').slice(0, 4))(
    '$name: $does',
    async ({ name, schedule, answerDelayMs }) => {
      const authorised = await authorise(client, { login: name });
      const before = performance.now();
      const paid = await submit(client, authorised);
      expect(paid.status).toBe(201);
      expect(performance.now() - before).toBeGreaterThanOrEqual(answerDelayMs);
      await forward(authorised, (schedule.at(-1)?.afterMs ?? 0) + 1);
      const path = `/domestic-payments/${paid.body.Data.DomesticPaymentId}`;
      const read = await client.get(path, { token: authorised.clientToken });
      expect(read.body.Data.Status).toBe(schedule.at(-1)?.status);
      const details = await client.get(`${path}/payment-details`, {
        token: authorised.clientToken,
      });
      const steps = details.body.Data.PaymentStatus.map((step: { Status: string }) => step.Status);
      expect(steps).toEqual(schedule.map((step) => step.status));
    },
    20_000,
  );
});

test('insufficient-funds is shown before and after', async () => {
  const authorised = await authorise(client, { login: 'insufficient-funds' });
  const funds = await client.get(
    `/domestic-payment-consents/${authorised.consentId}/funds-confirmation`,
    { token: authorised.token },
  );
  expect(funds.body.Data.FundsAvailableResult.FundsAvailable).toBe(false);
  const paid = await submit(client, authorised);
  await forward(authorised, 300);
  const read = await client.get(`/domestic-payments/${paid.body.Data.DomesticPaymentId}`, {
    token: authorised.clientToken,
  });
  expect(read.body.Data.StatusReason).toMatchObject([{ StatusReasonCode: 'AM04' }]);
  expect(await line(authorised)).toMatchObject({ status: 'RJCT', debited: false });
});

test('an account without an overdraft runs out of money', async () => {
  const choices = { login: `customer-${randomUUID()}`, account: 2 };
  const small = await authorise(client, choices, consentBody('3.00'));
  await submit(client, small);
  await forward(small, 5_000);
  const second = await authorise(client, choices, consentBody('3.00'));
  await submit(client, second);
  await forward(second, 5_000);
  expect(await line(small)).toMatchObject({ status: 'ACSC', debited: true });
  expect(await line(second)).toMatchObject({ status: 'RJCT', debited: false });
});

test('rejected-late debits the money and returns it', async () => {
  const authorised = await authorise(client, { login: 'rejected-late' });
  const paid = await submit(client, authorised);
  await waitUntil(
    async () => (await statusOf(client, authorised, paid.body.Data.DomesticPaymentId)) === 'ACSP',
  );
  expect(await line(authorised)).toMatchObject({ status: 'ACSP', debited: true, returned: false });
  await forward(authorised, 120_000);
  expect(await line(authorised)).toMatchObject({ status: 'RJCT', debited: true, returned: true });
});

describe('logins with an outcome at the bank', () => {
  test.each([
    ['decline', 'access_denied', 'RJCT'],
    ['bank-error', 'server_error', 'AWAU'],
  ])('%s returns the customer with %s', async (login, error, status) => {
    const { consentId, clientToken } = await createConsent(client);
    const visit = await client.authorisationUrl(consentId);
    const returned = await visitBank(visit.url, { login });
    await expect(exchange(client, visit, returned.url)).rejects.toMatchObject({ error });
    const read = await client.get(`/domestic-payment-consents/${consentId}`, {
      token: clientToken,
    });
    expect(read.body.Data.Status).toBe(status);
  });

  test('the decline button has the outcome of the login', async () => {
    const { consentId } = await createConsent(client);
    const visit = await client.authorisationUrl(consentId);
    const returned = await visitBank(visit.url, { decision: 'decline' });
    await expect(exchange(client, visit, returned.url)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  test('abandon shows a page without a way on', async () => {
    const { consentId } = await createConsent(client);
    const visit = await client.authorisationUrl(consentId);
    const page = await visitBank(visit.url, { login: 'abandon' });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<form');
    expect(page.text).not.toContain('<a ');
  });

  test('token-error returns the customer but exchanges no code', async () => {
    const { consentId } = await createConsent(client);
    const visit = await client.authorisationUrl(consentId);
    const returned = await visitBank(visit.url, { login: 'token-error' });
    await expect(exchange(client, visit, returned.url)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('logins that disturb the submission', () => {
  test('bank-down answers 503 for its time', async () => {
    const authorised = await authorise(client, { login: 'bank-down' });
    const key = randomUUID();
    expect((await submit(client, authorised, { key })).status).toBe(503);
    expect((await submit(client, authorised, { key })).status).toBe(503);
    expect(await line(authorised)).toBeUndefined();
    await forward(authorised, 6_000);
    expect((await submit(client, authorised, { key })).status).toBe(201);
  });

  test('lost-request is cut before it is handled, then works', async () => {
    const authorised = await authorise(client, { login: 'lost-request' });
    const key = randomUUID();
    await expect(submit(client, authorised, { key })).rejects.toThrow();
    expect(await line(authorised)).toBeUndefined();
    expect((await submit(client, authorised, { key })).status).toBe(201);
  });

  test('lost-answer books the payment once and answers the repeat', async () => {
    const authorised = await authorise(client, { login: 'lost-answer' });
    const key = randomUUID();
    await expect(submit(client, authorised, { key })).rejects.toThrow();
    const booked = await line(authorised);
    const consent = await client.get(`/domestic-payment-consents/${authorised.consentId}`, {
      token: authorised.clientToken,
    });
    expect(consent.body.Data.Status).toBe('COND');
    const repeat = await submit(client, authorised, { key });
    expect(repeat.status).toBe(201);
    expect(repeat.body.Data.DomesticPaymentId).toBe(booked.paymentId);
  });
});
