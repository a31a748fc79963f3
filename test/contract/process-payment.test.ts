import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestPaymentBody } from '../../contract/merchant/payments.ts';
import { openSandbox, type Sandbox, type SandboxReply } from '../harness/open-sandbox.ts';
import { processPaymentRules, type RawJson, unknownId } from './process-payment-rules.ts';

let sandbox: Sandbox;
let client: pg.Client;
beforeAll(async () => {
  sandbox = await openSandbox();
  client = new pg.Client(sandbox.databaseUrl);
  await client.connect();
  await client.query('set search_path = florin');
});
afterAll(async () => {
  await client.end();
  await sandbox.close();
});

const order = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };
const path = '/api/payments/process-payment';

const isWritten = (sent: unknown): sent is RawJson =>
  typeof sent === 'object' && sent !== null && 'written' in sent;

/**
 * The order with one member changed; a number that JSON.stringify would not write is sent as text.
 */
const send = async (field: string, sent: unknown): Promise<SandboxReply> => {
  const hole = '"the written value"';
  const value = isWritten(sent) ? JSON.parse(hole) : sent;
  const text = JSON.stringify({ ...order, [field]: value });
  const reply = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.secret}`, 'content-type': 'application/json' },
    body: isWritten(sent) ? text.replace(hole, sent.written) : text,
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
};
const create = (more: object = {}, secret = sandbox.secret) =>
  sandbox.request('POST', path, { secret, body: { ...order, ...more } });

const rowOf = async (id: string) =>
  (await client.query('select * from payment_request where payment_request_id = $1', [id])).rows[0];
const everything = async () =>
  (
    await client.query(`select (select count(*) from payment_request) as requests,
      (select count(*) from public_id) as ids, (select count(*) from idempotency) as keys`)
  ).rows[0];

/** Known to this server only: stored in a test of their own below. */
const testedBelow = ['storeId', 'atoaCustomerId', 'serviceCustomerId'];

test('every member of the contract is tested with valid and invalid values', () => {
  const members = Object.keys(requestPaymentBody.properties);
  const stored = new Set([...processPaymentRules.accepted.map(([field]) => field), ...testedBelow]);
  const refused = new Set(processPaymentRules.rejected.map(([field]) => field));
  expect(members.filter((member) => !stored.has(member))).toEqual([]);
  expect(members.filter((member) => !refused.has(member))).toEqual([]);
  const details = Object.keys(requestPaymentBody.properties.consumerDetails.properties);
  const sent = (rules: readonly (readonly [string, unknown, ...unknown[]])[]) =>
    rules.flatMap(([field, value]) =>
      field === 'consumerDetails' ? Object.keys(Object(value)) : [],
    );
  expect(details.filter((member) => !sent(processPaymentRules.accepted).includes(member))).toEqual(
    [],
  );
  expect(details.filter((member) => !sent(processPaymentRules.rejected).includes(member))).toEqual(
    [],
  );
});

describe('stores what is sent', () => {
  test('stores processPaymentRules.defaults for what is left out', async () => {
    const { body, status } = await create();
    expect(status).toBe(200);
    const row = await rowOf(body.paymentRequestId);
    for (const [column, stored] of processPaymentRules.defaults)
      expect([column, row[column]]).toEqual([column, stored]);
    expect(row.store_id).toBe(sandbox.merchant.storeIds.SANDBOX);
    expect(row.expires_business_at.getTime() - row.created_at.getTime()).toBe(180_000);
  });

  test.each(processPaymentRules.accepted)('%s %j', async (field, sent, column, stored) => {
    const reply = await send(field, sent);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const row = await rowOf(reply.body.paymentRequestId);
    expect(row[column]).toEqual(stored);
  });

  test('accepts own stores and customers, under either name', async () => {
    const storeId = sandbox.merchant.storeIds.SANDBOX;
    const inStore = await create({ storeId });
    expect((await rowOf(inStore.body.paymentRequestId)).store_id).toBe(storeId);
    const created = await sandbox.request('POST', '/api/customers', {
      body: { fullName: 'Ada Lovelace', email: 'ada@example.com' },
    });
    const { id } = created.body;
    for (const named of [
      { atoaCustomerId: id },
      { serviceCustomerId: id },
      { atoaCustomerId: id, serviceCustomerId: id },
    ])
      expect((await rowOf((await create(named)).body.paymentRequestId)).customer_id).toBe(id);
    const saved = await create({ ...saving, atoaCustomerId: id });
    expect(await rowOf(saved.body.paymentRequestId)).toMatchObject({
      saves_payment_method: true,
      payment_methods: saving.paymentMethod,
    });
    const both = await create({ atoaCustomerId: id, serviceCustomerId: unknownId });
    expect(both.body.errors[0].field).toBe('serviceCustomerId');
    const split = await create({ ...saving, atoaCustomerId: id, splitBill: true });
    expect(split.body.errors[0].field).toBe('splitBill');
  });

  const saving = { savePaymentMethod: true, paymentMethod: ['PAY_BY_BANK', 'CARD'] };

  test('answers the QR code, and a template only on request', async () => {
    const plain = await create();
    const { paymentRequestId } = plain.body;
    expect(plain.body).toEqual({
      qrCodeUrl: expect.stringMatching(/^http.*\.svg$/),
      qrCodeUrlPng: expect.stringMatching(/^http.*\.png$/),
      paymentUrl: `${sandbox.url}/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT`,
      shortUrl: expect.stringMatching(/^http.*\/p\//),
      paymentRequestId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
    });
    expect(plain.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const [template, part] of [
      ['EXTERNAL_DISPLAY', 'external-display_payment-qr-codes'],
      ['EXTERNAL_DISPLAY_PNG', 'external-display-png_payment-qr-codes'],
      ['RECEIPT', 'receipt-payment-qr-codes'],
      ['RECEIPT_PNG', 'receipt-payment-qr-codes'],
    ] as const) {
      const { templateUrl } = (await create({ template })).body;
      expect(templateUrl).toContain(part);
      const image = await fetch(templateUrl);
      const type = template.endsWith('PNG') ? 'image/png' : 'image/svg+xml';
      expect(image.headers.get('content-type')).toContain(type);
    }
  });
});

describe('rejects a wrong value by name and stores nothing', () => {
  test.each(processPaymentRules.rejected)('%s %j', async (field, sent, named, words) => {
    const before = await everything();
    const reply = await send(field, sent);
    expect(reply.status, JSON.stringify(reply.body)).toBe(400);
    expect(reply.body).toEqual({
      name: 'BAD_REQUEST',
      status: 400,
      message: expect.stringMatching(/.+\.$/),
      errors: expect.any(Array),
    });
    const error = reply.body.errors.find((each: { field: string }) => each.field === named);
    expect(error?.message).toMatch(words);
    expect(await everything()).toEqual(before);
  });

  test('rejects a store, a customer and a secret of another merchant', async () => {
    const { storeIds } = sandbox.merchant;
    const store = await create({ storeId: storeIds.PRODUCTION });
    expect(store.body).toMatchObject({ status: 400, errors: [{ field: 'storeId' }] });
    expect((await create({}, 'wrong')).body).toMatchObject({
      status: 401,
      name: 'INVALID_CREDENTIAL',
      errors: [],
    });
    expect((await create({}, sandbox.productionSecret)).body).toMatchObject({
      status: 503,
      name: 'RAIL_NOT_CONFIGURED',
    });
  });
});

describe('what a newcomer gets wrong', () => {
  test('is warned of in the sandbox, beside the reply, and never refused', async () => {
    const { status, headers } = await create({
      redirectURL: 'https://shop.example',
      expiresIn: 200,
    });
    expect(status).toBe(200);
    expect(headers.get('florin-warning')).toBe(
      'redirectURL is not known; did you mean redirectUrl? ' +
        'expiresIn is in milliseconds: this link lives 0.2 s.',
    );
  });

  test('is warned of beside an error too', async () => {
    const body = { customerId: 'c', order_id: 'o', amount: 1 };
    const refused = await sandbox.request('POST', path, { body });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('florin-warning')).toContain('did you mean orderId?');
  });

  test('is not warned of in production, nor where nothing is unusual', async () => {
    expect((await create({ colour: 1 }, sandbox.productionSecret)).headers.get(warning)).toBeNull();
    expect((await create({ expiresIn: 900_000 })).headers.get(warning)).toBeNull();
  });

  test('in JSON is found by line and column, without the text', async () => {
    const reply = await fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.secret}`, 'content-type': 'application/json' },
      body: '{\n  "customerId": "c",\n  "orderId": hidden-word\n}',
    });
    expect(reply.status).toBe(400);
    const { message } = (await reply.json()) as { message: string };
    expect(message).toBe(
      'The body is not valid JSON: line 3, column 14: a value is missing, or not written as JSON.',
    );
  });
});

const warning = 'florin-warning';
