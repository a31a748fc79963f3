import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redirectUri } from '../../test/harness/simulator/open-test-simulator.ts';
import { type RunningSimulator, runSimulator } from '../../test/harness/simulator/run-simulator.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { systemClock } from './system-clock.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import {
  consentBody,
  createConsent,
  exchange,
  paymentBody,
  statusOf,
} from './testing/payment-steps.ts';
import { visitBank } from './testing/visit-bank.ts';

let simulator: RunningSimulator;
let client: HonestClient;

beforeAll(async () => {
  simulator = await runSimulator();
  client = await honestClient(simulator.trustFolder);
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

test('a payment goes from discovery to settlement', async () => {
  const { consent, consentId, clientToken } = await createConsent(client);
  const visit = await client.authorisationUrl(consentId);
  const returned = await visitBank(visit.url, { login: 'approve' });
  expect(returned.url).toContain(`${redirectUri}?response=`);
  const tokens = await exchange(client, visit, returned.url);
  const claims = tokens.claims();
  expect(claims).toMatchObject({
    sub: consentId,
    openbanking_intent_id: consentId,
    acr: 'urn:openbanking:psd2:sca',
  });

  const token = tokens.access_token;
  const path = `/domestic-payment-consents/${consentId}`;
  const authorised = await client.get(path, { token: clientToken });
  expect(authorised.body.Data.Status).toBe('AUTH');
  const funds = await client.get(`${path}/funds-confirmation`, { token });
  expect(funds.body.Data.FundsAvailableResult.FundsAvailable).toBe(true);

  const body = paymentBody(consentId, consent);
  const paid = await client.post('/domestic-payments', body, { token });
  expect(paid.status).toBe(201);
  const { DomesticPaymentId, Status, Refund, Debtor } = paid.body.Data;
  expect(Status).toBe('RCVD');
  expect(Refund.Account.Identification).toBe(Debtor.Identification);

  const payment = { consent, consentId, token, clientToken };
  await waitUntil(async () => (await statusOf(client, payment, DomesticPaymentId)) === 'ACSC');
  const details = await client.get(`/domestic-payments/${DomesticPaymentId}/payment-details`, {
    token: clientToken,
  });
  const steps = details.body.Data.PaymentStatus.map((step: { Status: string }) => step.Status);
  expect(steps).toEqual(['RCVD', 'ACSP', 'ACSC']);
  const consumed = await client.get(path, { token: clientToken });
  expect(consumed.body.Data.Status).toBe('COND');

  const lines = await client.control('GET', `/payments?consentIds=${consentId}`);
  expect(lines.body).toMatchObject([
    { consentId, paymentId: DomesticPaymentId, amountPence: 1234, status: 'ACSC', debited: true },
  ]);
});

const day = 24 * 60 * 60 * 1000;
const tomorrow = () => new Date(systemClock.now() + day).toISOString();

test.each([
  ['scheduled-payment', 'DomesticScheduledPaymentId', 'RequestedExecutionDateTime'],
  ['standing-order', 'DomesticStandingOrderId', 'FirstPaymentDateTime'],
] as const)('a %s is taken now, and moves money on its day', async (name, orderId, when) => {
  const { InstructionIdentification, CreditorAccount, InstructedAmount } =
    consentBody().Data.Initiation;
  const paths = { consents: `/domestic-${name}-consents`, orders: `/domestic-${name}s` };
  const bodyFor = (at: string) => {
    const isStanding = name === 'standing-order';
    const plan = { [when]: at, ...(isStanding && { Frequency: { Type: 'MNTH' } }) };
    const Initiation = {
      ...(isStanding ? { MandateRelatedInformation: plan } : { InstructionIdentification }),
      ...(isStanding ? {} : plan),
      [isStanding ? 'FirstPaymentAmount' : 'InstructedAmount']: InstructedAmount,
      CreditorAccount,
    };
    return { Data: { Permission: 'Create', Initiation }, Risk: {} };
  };
  const token = await client.clientToken();
  const past = await client.post(paths.consents, bodyFor('2026-01-01T00:00:00Z'), { token });
  expect([past.status, past.body.Errors[0].ErrorCode]).toEqual([400, 'U003']);

  const consent = bodyFor(tomorrow());
  const created = await client.post(paths.consents, consent, { token });
  const consentId = created.body.Data.ConsentId;
  const elsewhere = await client.get(`/domestic-payment-consents/${consentId}`, { token });
  expect([elsewhere.status, elsewhere.body.Errors[0].ErrorCode]).toEqual([400, 'U011']);
  const visit = await client.authorisationUrl(consentId);
  const returned = await visitBank(visit.url, { login: 'approve' });
  const { access_token: customers } = await exchange(client, visit, returned.url);
  const order = {
    Data: { ConsentId: consentId, Initiation: consent.Data.Initiation },
    Risk: consent.Risk,
  };
  const taken = await client.post(paths.orders, order, { token: customers });
  expect([taken.status, taken.body.Data.Status]).toEqual([201, 'RCVD']);

  const line = async () => {
    const lines = await client.control('GET', `/payments?consentIds=${consentId}`);
    return lines.body[0];
  };
  expect(await line()).toMatchObject({ status: 'RCVD', debited: false });
  await client.control('POST', '/clock/advance', {
    consentIds: [consentId],
    milliseconds: 2 * day,
  });
  expect(await line()).toMatchObject({ status: 'ACSC', debited: true });
  const path = `${paths.orders}/${taken.body.Data[orderId]}`;
  expect((await client.get(path, { token })).body.Data.Status).toBe('ACSC');
  const { body } = await client.get(`${path}/payment-details`, { token });
  expect(body.Data.PaymentStatus).toHaveLength(3);
});

test('a client ends its subscription to events, and may subscribe again', async () => {
  const bank = await honestClient(simulator.trustFolder, 'northfield-sandbox');
  const token = await bank.clientToken();
  const call = async (method: 'GET' | 'POST' | 'DELETE', path = '', body?: string) => {
    const url = `${bank.bank.eventsUrl}/event-subscriptions${path}`;
    const signed = body && {
      'content-type': 'application/json',
      'x-jws-signature': bank.signBody(body),
    };
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...signed };
    const dispatcher = bank.agent;
    const reply = await request(url, { method, dispatcher, headers, ...(body && { body }) });
    const text = await reply.body.text();
    return { status: reply.statusCode, text, data: text === '' ? null : JSON.parse(text).Data };
  };
  const data = { CallbackUrl: 'https://client.example/open-banking/v4.0', Version: '4.0' };
  const subscribe = () => call('POST', '', JSON.stringify({ Data: data }));
  const made = await subscribe();
  expect(made.status).toBe(201);
  expect((await subscribe()).status).toBe(409);
  const path = `/${made.data.EventSubscriptionId}`;
  expect(await call('DELETE', path)).toMatchObject({ status: 204, text: '' });
  expect((await call('DELETE', path)).status).toBe(400);
  expect((await call('GET')).data).toEqual({ EventSubscription: [] });
  expect((await subscribe()).status).toBe(201);
  await bank.close();
});

test('the program writes exactly one line to standard output', () => {
  expect(simulator.output()).toHaveLength(1);
});
