import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventBodies } from '../../contract/event-bodies.ts';
import { openApi, openApiPath } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';
import { failuresOf, operations } from '../../contract/operations.ts';
import { requestExample } from '../../contract/published/examples.ts';
import { requestExamples } from '../../contract/published/request-examples.ts';
import { sampleUuid } from '../../contract/published/sample-value.ts';
import { createOperatorSecret } from '../../service/src/modules/operators/index.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

type Json = { readonly [name: string]: Json };

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    email: /^[^@\s]+@[^@\s]+$/,
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    uri: /^[a-z]+:/,
  },
});

const document = openApi(operations, {}) as unknown as Json;
const described = (operation: Operation): Json =>
  document.paths?.[openApiPath(operation)]?.[operation.method.toLowerCase()] ?? {};
const json = (part: Json | undefined): Json => part?.content?.['application/json'] ?? {};
const names = (part: Json | undefined): readonly string[] => Object.keys(part ?? {});

const requireValid = (validate: ValidateFunction, value: unknown): void =>
  expect(validate(value) ? null : ajv.errorsText(validate.errors)).toBeNull();

describe('the published document', () => {
  test.each(operations.map((each) => [each.id, each] as const))(
    '%s has examples that its schemas accept',
    (_, operation) => {
      const { requestBody, responses } = described(operation);
      if (operation.body)
        requireValid(ajv.compile(json(requestBody).schema as object), json(requestBody).example);
      const reply = json(responses?.['200']);
      requireValid(ajv.compile(reply.schema as object), reply.example);
      const shown = Object.values(responses ?? {}).flatMap((each) => names(json(each).examples));
      expect(shown.sort()).toEqual([...failuresOf(operation)].sort());
    },
  );

  test('has an example of every failure, which the schema of errors accepts', () => {
    const isError = ajv.compile(document.components?.schemas?.Error as object);
    const examples = document.components?.examples ?? {};
    const used = new Set(operations.flatMap(failuresOf));
    for (const id of used) requireValid(isError, examples[id]?.value);
  });

  test('describes every tag and operation', () => {
    const tags = new Set(Object.values(document.tags ?? {}).map((tag) => String(tag.name)));
    for (const operation of operations) {
      const { description, tags: used } = described(operation);
      expect(String(description)).toMatch(/^[A-Z].*\.$/s);
      for (const tag of Object.values(used ?? {})) expect(tags).toContain(String(tag));
    }
  });

  test('has webhooks with examples that their schemas accept', () => {
    expect(names(document.webhooks)).toEqual(Object.keys(eventBodies));
    for (const { post } of Object.values(document.webhooks ?? {})) {
      const body = json(post?.requestBody);
      requireValid(ajv.compile(body.schema as object), body.examples?.signed?.value);
    }
  });

  test.each([
    ['requestPayment', { amount: 0.5 }, false],
    ['requestPayment', { amount: '12.50' }, true],
    ['requestPayment', { expiresIn: 0 }, false],
    ['requestPayment', { savePaymentMethod: true }, false],
    [
      'requestPayment',
      { savePaymentMethod: true, paymentMethod: ['CARD'], atoaCustomerId: sampleUuid },
      true,
    ],
    ['chargeCard', { captureType: undefined }, false],
    ['chargeCard', { captureType: undefined, capture: 'AUTO_CAPTURE' }, true],
    ['createWebhookEndpoint', { authentication: { username: 'a' } }, false],
    ['createWebhookEndpoint', { authentication: { username: 'a', password: 'b' } }, true],
    ['createWebhookEndpoint', { authentication: null }, true],
    ['replayWebhooks', { onlyMissed: undefined, from: undefined }, false],
  ])('says what %s needs: %j', (id, changes, isAccepted) => {
    const operation = operations.find((each) => each.id === id) as Operation;
    const validate = ajv.compile(json(described(operation).requestBody).schema as object);
    const body = JSON.parse(JSON.stringify({ ...Object(requestExample(operation)), ...changes }));
    expect(validate(body)).toBe(isAccepted);
  });

  test('has no example for an operation that does not exist', () => {
    const ids = operations.map(({ id }) => id);
    for (const id of Object.keys(requestExamples)) expect(ids).toContain(id);
  });
});

describe('sent to the product', () => {
  let sandbox: Sandbox;
  let operatorSecret: string;
  beforeAll(async () => {
    sandbox = await openSandbox();
    operatorSecret = (await createOperatorSecret(sandbox.tools, 'Ada', null)).secret;
  });
  afterAll(() => sandbox.close());

  const secretFor = ({ access }: Operation): string | null => {
    if (access === 'open') return null;
    return access === 'operator' ? operatorSecret : sandbox.secret;
  };

  test.each(operations.filter(({ body }) => body).map((each) => [each.id, each] as const))(
    'the example of %s is understood',
    async (_, operation) => {
      const path = operation.path
        .replace(':environment', 'sandbox')
        .replace(':merchantId', sandbox.merchant.merchantId)
        .replace(/:\w+/g, sampleUuid);
      const { status, body } = await sandbox.request(operation.method, path, {
        secret: secretFor(operation),
        body: requestExample(operation),
      });
      // The ids of examples do not exist, and cards are off: all else must be accepted.
      expect([200, 403, 404, 409], JSON.stringify(body)).toContain(status);
    },
  );

  test('the events are those that are described', async () => {
    const receiver = await openReceiver();
    const url = `${receiver.url}/`;
    const secret = await sandbox.request('POST', '/api/sandbox/webhook/signing-secret', {});
    expect(secret.status).toBe(200);
    const events = Object.keys(eventBodies);
    const path = '/api/webhook/v2/endpoints';
    const made = await sandbox.request('POST', path, { body: { url, events } });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    for (const eventType of events)
      await sandbox.request('POST', '/api/webhook/test', { body: { eventType } });
    const received = await waitUntil(async () => {
      if (receiver.received.length < events.length) throw new Error('not all events came');
      return receiver.received;
    });
    for (const { body } of received) {
      const event = JSON.parse(String(body));
      const schema = eventBodies[event.eventType as keyof typeof eventBodies];
      requireValid(ajv.compile({ ...schema, additionalProperties: false }), event);
    }
    await receiver.close();
  });
});
