import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { merchantRoutes as cardRoutes } from '../cards/index.ts';
import { merchantRoutes } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    // A customer is deleted with the cards, so their paths answer DELETE.
    routes: (tools) => [...merchantRoutes(tools), ...cardRoutes(tools)],
  });
});
afterAll(() => service.close());

let emails = 0;
const newEmail = (): string => `customer${++emails}@example.com`;
const create = (body: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', '/api/customers', { body, headers });
const created = async (fields: object = {}) =>
  (await create({ fullName: 'Ada Lovelace', email: newEmail(), ...fields })).body;
const put = (id: string, body: unknown) => service.request('PUT', `/api/customers/${id}`, { body });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ofLength = (length: number): string => 'x'.repeat(length);

describe('createCustomer', () => {
  test('answers every member, with null for those left out', async () => {
    const email = newEmail();
    const least = await create({ fullName: 'Ada Lovelace', email });
    expect(least.status).toBe(200);
    expect(least.body).toEqual({
      id: expect.stringMatching(uuid),
      fullName: 'Ada Lovelace',
      email,
      type: 'INDIVIDUAL',
      phoneCountryCode: null,
      phoneNumber: null,
      address: null,
      city: null,
      postcode: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const all = {
      fullName: 'Müller & Söhne Ltd 🏪',
      email: newEmail(),
      type: 'BUSINESS',
      phoneCountryCode: '44',
      phoneNumber: '07700900123',
      address: '1 High Street',
      city: 'Leeds',
      postcode: 'LS1 4AP',
      vatNumber: 'GB123456789',
    };
    const whole = await create({ ...all, id: 'chosen', unknownMember: 1 });
    expect(whole.status).toBe(200);
    expect(whole.body).toMatchObject(all);
    expect(whole.body.id).toMatch(uuid);
    expect(whole.body).not.toHaveProperty('unknownMember');
  });

  test('stores a VAT number always and shows it for businesses only', async () => {
    const { id, ...customer } = await created({ vatNumber: '123456789' });
    expect(customer).not.toHaveProperty('vatNumber');
    const { body } = await put(id, { type: 'BUSINESS' });
    expect(body.vatNumber).toBe('123456789');
    expect((await created({ type: 'BUSINESS' })).vatNumber).toBeNull();
  });

  test.each<[string, object]>([
    ['fullName', { fullName: 'Al' }],
    ['fullName', { fullName: ofLength(30) }],
    ['fullName', { fullName: '🏪'.repeat(30) }],
    ['type', { type: 'BUSINESS' }],
    ['phoneCountryCode', { phoneCountryCode: '12345' }],
    ['phoneNumber', { phoneNumber: '123456789012345' }],
    ['phoneNumber', { email: undefined, phoneNumber: '7' }],
    ['email', { email: null, phoneNumber: '7' }],
    ['address', { address: ofLength(100) }],
    ['address', { address: '' }],
    ['address', { address: null }],
    ['city', { city: ofLength(30) }],
    ['city', { city: '' }],
    ['postcode', { postcode: '' }],
    ['email', { email: '', phoneNumber: '7' }],
    ['type', { type: null }],
    ['postcode', { postcode: 'AB12' }],
    ['postcode', { postcode: 'sw1a 1aa' }],
    ['vatNumber', { vatNumber: 'GB123456789' }],
    ['vatNumber', { vatNumber: null }],
  ])('accepts the %s of %j', async (_, fields) => {
    const reply = await create({ fullName: 'Ada Lovelace', email: newEmail(), ...fields });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  });

  const wrong: [string, object][] = [
    ['fullName', { fullName: undefined }],
    ['fullName', { fullName: null }],
    ['fullName', { fullName: 7 }],
    ['fullName', { fullName: '' }],
    ['fullName', { fullName: 'A' }],
    ['fullName', { fullName: '   ' }],
    ['fullName', { fullName: ofLength(31) }],
    ['email', { email: undefined }],
    ['email', { email: null }],
    ['email', { email: undefined, phoneCountryCode: '44' }],
    ['email', { email: '' }],
    ['email', { email: 'ada' }],
    ['email', { email: 'ada@' }],
    ['email', { email: 'a b@example.com' }],
    ['email', { email: `${ofLength(250)}@x.uk` }],
    ['email', { email: 7 }],
    ['type', { type: 'PERSON' }],
    ['type', { type: 'individual' }],
    ['phoneCountryCode', { phoneCountryCode: '+44' }],
    ['phoneCountryCode', { phoneCountryCode: '123456' }],
    ['phoneCountryCode', { phoneCountryCode: '' }],
    ['phoneCountryCode', { phoneCountryCode: 44 }],
    ['phoneNumber', { phoneNumber: '07700 900123' }],
    ['phoneNumber', { phoneNumber: '1234567890123456' }],
    ['phoneNumber', { phoneNumber: '٠١٢٣' }],
    ['phoneNumber', { phoneNumber: '' }],
    ['address', { address: ofLength(101) }],
    ['address', { address: ['1 High Street'] }],
    ['city', { city: ofLength(31) }],
    ['postcode', { postcode: 'AB1' }],
    ['postcode', { postcode: 'AB12 34CD' }],
    ['postcode', { postcode: 'AB1-2CD' }],
    ['vatNumber', { vatNumber: '12345678' }],
    ['vatNumber', { vatNumber: 'GB1234567890' }],
    ['vatNumber', { vatNumber: 'FR123456789' }],
    ['vatNumber', { vatNumber: '' }],
  ];
  test.each(wrong)('rejects the %s of %j', async (field, fields) => {
    const reply = await create({ fullName: 'Ada Lovelace', email: newEmail(), ...fields });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ name: 'BAD_REQUEST', status: 400 });
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    expect(reply.body.message).toMatch(/\w\.$/);
  });

  test.each([
    ['a number', '7'],
    ['null', 'null'],
    ['a list', '[]'],
    ['text', '"Ada"'],
    ['nothing', ''],
    ['half an object', '{"fullName":'],
    ['the character U+0000', '{"fullName":"A\\u0000da","email":"a@example.com"}'],
  ])('rejects %s as a body', async (_, body) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(reply.body.name).toBe('BAD_REQUEST');
  });

  test('names every wrong field', async () => {
    const { body } = await create({ fullName: 'A', postcode: '-', vatNumber: 'x' });
    const fields = body.errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(['fullName', 'postcode', 'vatNumber']);
  });

  test('rejects other media types and bodies that are too large', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await create('{"fullName":"Ada"}', headers)).status).toBe(415);
    expect((await create({ fullName: ofLength(70_000) })).status).toBe(413);
  });

  test('allows an address once per merchant and environment, in any case', async () => {
    const email = newEmail();
    await create({ fullName: 'Ada Lovelace', email });
    const again = await create({ fullName: 'Another Ada', email: email.toUpperCase() });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ name: 'CONFLICT', status: 409, errors: [] });
    const body = { fullName: 'Ada Lovelace', email };
    const secrets = [
      service.productionSecret,
      (await service.newMerchant()).secrets.SANDBOX.secret,
    ];
    for (const secret of secrets)
      expect((await service.request('POST', '/api/customers', { body, secret })).status).toBe(200);
  });
});

describe('updateCustomer', () => {
  test('changes only the members that are sent', async () => {
    const before = await created({ address: '1 High Street', city: 'Leeds' });
    const after = await put(before.id, { city: 'York' });
    expect(after.status).toBe(200);
    expect(after.body).toEqual({ ...before, city: 'York' });
    expect((await put(before.id, {})).body).toEqual(after.body);
    const read = await service.request('GET', `/api/customers/${before.id}`);
    expect(read.body).toEqual(after.body);
  });

  test('accepts its own reply, and null removes a value', async () => {
    const before = await created({ address: '1 High Street' });
    expect((await put(before.id, before)).body).toEqual(before);
    expect((await put(before.id, { address: null })).body.address).toBeNull();
  });

  test('works without a body', async () => {
    const before = await created();
    expect((await service.request('PUT', `/api/customers/${before.id}`)).body).toEqual(before);
  });

  test('rejects removing the last contact', async () => {
    const { id } = await created();
    const refused = await put(id, { email: null });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].field).toBe('email');
    expect((await put(id, { email: null, phoneNumber: '7' })).status).toBe(200);
    expect((await put(id, { phoneNumber: null })).status).toBe(400);
    expect((await put(id, { phoneNumber: null, email: newEmail() })).status).toBe(200);
  });

  test("rejects another customer's address and accepts the current one", async () => {
    const [one, other] = [await created(), await created()];
    const refused = await put(one.id, { email: other.email.toUpperCase() });
    expect([refused.status, refused.body.name]).toEqual([409, 'CONFLICT']);
    expect((await put(one.id, { email: one.email.toUpperCase() })).status).toBe(200);
  });

  test.each([
    ['fullName', { fullName: 'A' }],
    ['type', { type: 'x' }],
    ['email', { email: 'ada' }],
    ['phoneNumber', { phoneNumber: 'x' }],
    ['postcode', { postcode: '1' }],
    ['vatNumber', { vatNumber: '1' }],
  ])('validates %s like createCustomer: %j', async (field, body) => {
    const { id } = await created();
    const reply = await put(id, body);
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
  });
});

describe('deleteCustomer', () => {
  test('deletes the customer and frees the address', async () => {
    const { id, email } = await created();
    const deleted = await service.request('DELETE', `/api/customers/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { id }]);
    expect((await service.request('GET', `/api/customers/${id}`)).status).toBe(404);
    expect((await service.request('DELETE', `/api/customers/${id}`)).status).toBe(404);
    expect((await create({ fullName: 'Ada Lovelace', email })).status).toBe(200);
  });
});

describe('a customer of another merchant', () => {
  const calls: [string, object?][] = [['GET'], ['PUT', { city: 'York' }], ['DELETE']];
  test.each(calls)('is not found by %s', async (method, body) => {
    const { id } = await created();
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    const theirs = await service.request(method, `/api/customers/${id}`, { secret, body });
    const missingId = '00000000-0000-4000-8000-000000000000';
    const none = await service.request(method, `/api/customers/${missingId}`, { secret, body });
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
    expect(theirs.body.name).toBe('NOT_FOUND');
    expect((await service.request('GET', `/api/customers/${id}`)).body.city).toBeNull();
  });

  test.each(calls)('%s names the other environment', async (method, body) => {
    const { id } = await created();
    const secret = service.productionSecret;
    const reply = await service.request(method, `/api/customers/${id}`, { secret, body });
    expect([reply.status, reply.body.name]).toEqual([400, 'ENVIRONMENT_MISMATCH']);
  });

  test.each(calls)('%s rejects an id that is not a UUID', async (method, body) => {
    const reply = await service.request(method, '/api/customers/7', { body });
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'customerId']);
  });
});
