import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { merchantRoutes } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: merchantRoutes });
});
afterAll(() => service.close());

let emails = 0;
const newEmail = (): string => `customer${++emails}@example.com`;
const create = (body: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', '/api/customers', { body, headers });

describe('an Idempotency-Key', () => {
  test('creates one customer from a hundred concurrent requests', async () => {
    const headers = { 'idempotency-key': 'hundred' };
    const body = { fullName: 'Grace Hopper', phoneNumber: '100100' };
    const replies = await Promise.all(Array.from({ length: 100 }, () => create(body, headers)));
    const made = replies.filter(({ status }) => status === 200);
    expect(made.length).toBeGreaterThan(0);
    for (const { status, body: answer } of replies)
      if (status !== 200) expect(answer.name).toBe('IDEMPOTENCY_KEY_IN_USE');
    expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
    const found = await service.request('GET', '/api/customers?search=100100');
    expect(found.body.totalCount).toBe(1);
  });

  test('repeats the first reply byte for byte, and rejects another body', async () => {
    const headers = { 'idempotency-key': 'again' };
    const body = { fullName: 'Grace Hopper', phoneNumber: '100101' };
    const first = await create(body, headers);
    const changes = { fullName: 'Changed since' };
    await service.request('PUT', `/api/customers/${first.body.id}`, { body: changes });
    const second = await create({ phoneNumber: '100101', fullName: 'Grace Hopper' }, headers);
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    const other = await create({ ...body, fullName: 'Other' }, headers);
    expect([other.status, other.body.name]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('finds the customer after a crash lost the reply', async () => {
    const headers = { 'idempotency-key': 'lost' };
    const body = { fullName: 'Grace Hopper', email: newEmail() };
    const first = await create(body, headers);
    await service.database.tenant(
      service.merchant.merchantId,
      { name: '', text: "delete from idempotency where idempotency_key = 'lost'", valueNames: [] },
      {},
    );
    const second = await create(body, headers);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
  });
});
