import { expect, test } from 'vitest';
import { diagnoseBanks } from './doctor/diagnose-banks.ts';
import { findSchemaFaults } from './test/find-schema-faults.ts';
import { newTestClient, testTools } from './test/new-test-client.ts';
import { type ScriptedRail, useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();
const client = newTestClient();
const baseUrl = 'https://florin.example/api/rails/bank-events/production';
const versions = [
  ['3.1', '3.1.11'],
  ['4.0', '4.0.1'],
] as const;
const addressIn = (version: string) => `${baseUrl}/scripted/open-banking/v${version}`;

const subscribe = (version: (typeof versions)[number][0] = '4.0') => {
  const { bank, another } = scripted();
  const rail = another({ version, eventsUrl: `${bank.profile.issuer}/pisp` });
  return rail.events?.subscribe('scripted', baseUrl);
};

const writtenTo = ({ bank }: ScriptedRail) => {
  const written = bank.requests.filter(({ operation }) => /^P.* event-subs/.test(operation));
  return written.map(({ operation, body, headers }) => ({
    method: operation.split(' ')[0],
    body: JSON.parse(body),
    isSigned: headers['x-jws-signature'] !== undefined,
    key: headers['x-idempotency-key'],
  }));
};

const listed = (data: object) => ({ body: { Data: { EventSubscription: [data] } } });

test.each(versions)('%s: where there is none one is made, as the standard says', async (...one) => {
  const [version, schema] = one;
  expect(await subscribe(version)).toEqual({ kind: 'CREATED' });
  const [sent] = writtenTo(scripted());
  expect(sent).toMatchObject({ method: 'POST', isSigned: true, key: undefined });
  expect(sent?.body.Data).toMatchObject({ CallbackUrl: addressIn(version), Version: version });
  expect(findSchemaFaults('OBEventSubscription1', sent?.body, schema)).toEqual([]);
});

test.each(versions)('%s: one that leads elsewhere is changed', async (version, schema) => {
  const other = {
    EventSubscriptionId: 'es-1',
    CallbackUrl: 'https://old.example',
    Version: version,
  };
  scripted().bank.script('GET event-subscriptions', listed(other));
  expect(await subscribe(version)).toEqual({ kind: 'CHANGED' });
  const [sent] = writtenTo(scripted());
  expect(sent).toMatchObject({ method: 'PUT', body: { Data: { EventSubscriptionId: 'es-1' } } });
  expect(findSchemaFaults('OBEventSubscriptionResponse1', sent?.body, schema)).toEqual([]);
});

test('one that is as it should be is left alone, and another process may be first', async () => {
  const { bank } = scripted();
  const right = { EventSubscriptionId: 'es-1', CallbackUrl: addressIn('4.0'), Version: '4.0' };
  bank.script('GET event-subscriptions', listed(right));
  expect(await subscribe()).toEqual({ kind: 'UNCHANGED' });
  expect(writtenTo(scripted())).toEqual([]);
  bank.script('POST event-subscriptions', { status: 409, body: {} });
  expect(await subscribe()).toEqual({ kind: 'UNCHANGED' });
});

test.each([
  ['GET', { status: 404, body: {} }, 'UNKNOWN'],
  ['GET', { status: 503, text: '<html>' }, 'UNKNOWN'],
  ['GET', { hangUp: true }, 'UNKNOWN'],
  ['POST', { status: 403, body: {} }, 'REFUSED'],
  ['POST', { status: 500, text: '' }, 'UNKNOWN'],
] as const)('%s answered with %j is %s, and payments go on', async (method, answer, kind) => {
  const { bank, another } = scripted();
  const rail = another({ eventsUrl: `${bank.profile.issuer}/pisp` });
  bank.script(`${method} event-subscriptions`, answer);
  expect(await rail.events?.subscribe('scripted', baseUrl)).toMatchObject({ kind });
  expect(rail.health()).toMatchObject([{ calls: 0, failedCalls: 0 }]);
});

test.each([
  [{ body: { Data: {} } }, 'WARNING', /there is no subscription/],
  [
    listed({ EventSubscriptionId: 'e', CallbackUrl: 'https://old.example', Version: '4.0' }),
    'WARNING',
    /sent to https:\/\/old\.example/,
  ],
  [
    listed({ EventSubscriptionId: 'e', CallbackUrl: addressIn('4.0'), Version: '4.0' }),
    'OK',
    /sent to https:\/\/florin/,
  ],
  [{ status: 500, body: {} }, 'WARNING', /cannot be read/],
] as const)('the doctor says of %j: %s', async (answer, level, detail) => {
  const { bank } = scripted();
  bank.script('GET event-subscriptions', answer);
  const banks = [{ ...bank.profile, eventsUrl: `${bank.profile.issuer}/pisp` }];
  const findings = await diagnoseBanks({ client: await client, banks }, testTools(), baseUrl);
  const found = findings.filter(({ check }) => check === 'notifications');
  expect(found).toMatchObject([{ level, detail: expect.stringMatching(detail) }]);
});
