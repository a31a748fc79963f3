import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../test/harness/is-long-run.ts';
import { longTest } from '../../test/harness/long-test.ts';
import { type RunningSimulator, runSimulator } from '../../test/harness/simulator/run-simulator.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { disconnectDatabase } from './testing/disconnect-database.ts';
import { type HonestClient, honestClient, statusOfFailure } from './testing/honest-client.ts';
import { authorise, createConsent, exchange, statusOf, submit } from './testing/payment-steps.ts';
import { decide, logIn, openBrowser } from './testing/visit-bank.ts';

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

const crash = async () => {
  await simulator.kill('SIGKILL');
  await simulator.start();
};

/** The steps that change what the simulator stores of a payment. */
const crashInLongRun = async () => {
  if (isLongRun) await crash();
};

longTest(
  'a journey continues after the simulator is killed',
  async () => {
    const { consent, consentId, clientToken } = await createConsent(client);
    await crash();
    const visit = await client.authorisationUrl(consentId);
    await crashInLongRun();
    const browser = openBrowser();
    const login = await browser.visit(visit.url);
    await crashInLongRun();
    const approval = await logIn(browser, login, 'approve');
    await crash();
    const returned = await decide(browser, approval, {});
    await crashInLongRun();
    const tokens = await exchange(client, visit, returned.url);
    await crashInLongRun();
    const authorised = { consent, consentId, clientToken, token: tokens.access_token };
    const key = randomUUID();
    const paid = await submit(client, authorised, { key });
    await crash();
    const again = await submit(client, authorised, { key });
    const { DomesticPaymentId } = paid.body.Data;
    expect(again.body.Data.DomesticPaymentId).toBe(DomesticPaymentId);
    await waitUntil(async () => (await statusOf(client, authorised, DomesticPaymentId)) === 'ACSC');
  },
  60_000,
);

test('a kill during a submission leaves it done once or not at all', async () => {
  const authorised = await authorise(client);
  const key = randomUUID();
  const first = submit(client, authorised, { key }).catch(() => undefined);
  await crash();
  await first;
  const repeat = await submit(client, authorised, { key });
  expect(repeat.status).toBe(201);
  const lines = await client.control('GET', `/payments?consentIds=${authorised.consentId}`);
  expect(lines.body).toHaveLength(1);
});

test('answers 503 without its database and recovers by itself', async () => {
  const authorised = await authorise(client);
  const away = await disconnectDatabase(simulator.databaseUrl);
  const reply = await submit(client, authorised);
  expect([reply.status, reply.body.Errors[0].ErrorCode]).toEqual([503, 'U000']);
  expect((await fetch(`${simulator.url}/health`)).status).toBe(503);
  const visit = client.authorisationUrl(authorised.consentId);
  expect(await statusOfFailure(visit)).toBe(503);
  await away.reconnect();
  await waitUntil(async () => (await fetch(`${simulator.url}/health`)).status === 200);
  expect((await submit(client, authorised)).status).toBe(201);
});

longTest('stops in time and restarts with the same names and keys', async () => {
  const before = client.registration;
  const started = performance.now();
  expect(await simulator.kill('SIGTERM')).toBe(0);
  expect(performance.now() - started).toBeLessThan(1_000);
  await simulator.start();
  const again = await honestClient(simulator.trustFolder);
  expect(again.registration).toEqual(before);
  await again.clientToken();
  await again.close();
});
