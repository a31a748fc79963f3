import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSimulator, runSimulator } from '../../test/harness/simulator/run-simulator.ts';
import { magicLogins } from './bank/magic-logins.ts';
import { type HonestClient, honestClient, statusOfFailure } from './testing/honest-client.ts';
import { authorise, createConsent, statusOf, submit } from './testing/payment-steps.ts';

let simulator: RunningSimulator;
let client: HonestClient;
const bankId = 'mock-sandbox-v1';

beforeAll(async () => {
  simulator = await runSimulator();
  client = await honestClient(simulator.trustFolder, bankId);
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

const queue = (fault: object) => client.control('POST', '/faults', { bankId, ...fault });

describe('faults', () => {
  test('affect the given number of calls, and only of their operation', async () => {
    const token = await client.clientToken();
    await queue({ operation: 'read', kind: 'status', status: 429, times: 2 });
    const path = '/domestic-payments/none';
    const statuses = [];
    for (let call = 0; call < 3; call += 1) {
      statuses.push((await client.get(path, { token })).status);
    }
    expect(statuses).toEqual([429, 429, 400]);
  });

  test('down at the token endpoint and at the authorisation', async () => {
    await queue({ operation: 'token', kind: 'down' });
    expect(await statusOfFailure(client.clientToken())).toBe(503);
    const { consentId } = await createConsent(client);
    await queue({ operation: 'authorize', kind: 'down' });
    expect(await statusOfFailure(client.authorisationUrl(consentId))).toBe(503);
    await client.authorisationUrl(consentId);
  });

  test('cut-after books the payment, cut-before does not', async () => {
    const authorised = await authorise(client);
    const list = async () =>
      (await client.control('GET', `/payments?consentIds=${authorised.consentId}`)).body;
    await queue({ operation: 'payment', kind: 'cut-before' });
    await expect(submit(client, authorised)).rejects.toThrow();
    expect(await list()).toHaveLength(0);
    await queue({ operation: 'payment', kind: 'cut-after' });
    await expect(submit(client, authorised)).rejects.toThrow();
    expect(await list()).toHaveLength(1);
  });

  test('slow delays a call', async () => {
    const token = await client.clientToken();
    await queue({ operation: 'read', kind: 'slow', milliseconds: 400 });
    const before = performance.now();
    await client.get('/domestic-payments/none', { token });
    expect(performance.now() - before).toBeGreaterThanOrEqual(400);
  });

  test('survive a crash and can be cleared', async () => {
    await queue({ operation: 'consent', kind: 'down', times: 3 });
    await simulator.kill('SIGKILL');
    await simulator.start();
    await expect(createConsent(client)).rejects.toThrow('U000');
    expect((await client.control('DELETE', '/faults')).body).toEqual({ removed: 1 });
    await createConsent(client);
  });

  test('that are invalid are rejected', async () => {
    expect((await queue({ operation: 'lunch', kind: 'down' })).status).toBe(400);
  });
});

test('a clock moves the named consents and no others', async () => {
  const [one, other] = [
    await authorise(client, { login: 'settled-late' }),
    await authorise(client, { login: 'settled-late' }),
  ];
  const paid = await submit(client, one);
  const untouched = await submit(client, other);
  const moved = await client.control('POST', '/clock/advance', {
    consentIds: [one.consentId],
    milliseconds: 600_000,
  });
  expect(moved.body).toEqual({ moved: 1 });
  expect(await statusOf(client, one, paid.body.Data.DomesticPaymentId)).toBe('ACSC');
  expect(await statusOf(client, other, untouched.body.Data.DomesticPaymentId)).not.toBe('ACSC');
});

test('the forecast of a payment gives its status and when that changes', async () => {
  const late = await authorise(client, { login: 'settled-late' });
  const forever = await authorise(client, { login: 'never-settles' });
  const unpaid = await authorise(client);
  await Promise.all([submit(client, late), submit(client, forever)]);
  const consentIds = [late, forever, unpaid].map(({ consentId }) => consentId);
  const advance = { consentIds, milliseconds: 60_000 };
  await client.control('POST', '/clock/advance', advance);
  const { body } = await client.control('POST', '/clock/forecast', { consentIds });
  const of = ({ consentId }: { consentId: string }) =>
    body.payments.find((each: { consentId: string }) => each.consentId === consentId);
  expect(of(late)).toMatchObject({ status: 'ACSP' });
  expect(of(late).changesInMs).toBeGreaterThan(500_000);
  expect(of(late).changesInMs).toBeLessThanOrEqual(540_000);
  expect(of(forever)).toMatchObject({ status: 'ACSP', changesInMs: null });
  expect(of(unpaid)).toBeUndefined();
  expect((await client.control('POST', '/clock/forecast', {})).status).toBe(400);
});

test('a clock moved before the submission does not age the payment', async () => {
  const authorised = await authorise(client);
  await client.control('POST', '/clock/advance', {
    consentIds: [authorised.consentId],
    milliseconds: 600_000,
  });
  expect((await submit(client, authorised)).body.Data.Status).toBe('RCVD');
});

test('the payments of all banks are paged', async () => {
  const first = await client.control('GET', '/payments?page=0&pageSize=1');
  const second = await client.control('GET', '/payments?page=1&pageSize=1');
  expect(first.body).toHaveLength(1);
  expect(second.body[0].paymentId).not.toBe(first.body[0].paymentId);
});

test('lists the magic logins for programs and people', async () => {
  expect((await client.control('GET', '/magic')).body).toEqual(
    JSON.parse(JSON.stringify(magicLogins)),
  );
  const page = await (await fetch(simulator.url)).text();
  for (const { name } of magicLogins) expect(page).toContain(`<code>${name}</code>`);
});

test('control calls need their token', async () => {
  const { controlUrl } = client.registration;
  expect((await fetch(`${controlUrl}/payments`)).status).toBe(401);
  const headers = { authorization: 'Bearer wrong' };
  expect((await fetch(`${controlUrl}/payments`, { headers })).status).toBe(401);
});
