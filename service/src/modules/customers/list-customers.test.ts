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

describe('listCustomers', () => {
  test('pages through the newest first', async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    const list = async (query: string) =>
      (await service.request('GET', `/api/customers${query}`, { secret })).body;
    expect(await list('')).toEqual({ data: [], totalCount: 0, page: 0, size: 20 });
    for (let at = 0; at < 22; at += 1) {
      const body = { fullName: `Customer ${at}`, email: newEmail() };
      await service.request('POST', '/api/customers', { secret, body });
    }
    const [first, second] = [await list(''), await list('?page=1')];
    expect([first.totalCount, first.data.length]).toEqual([22, 20]);
    expect(second).toMatchObject({ totalCount: 22, page: 1, size: 20 });
    const listed: { id: string; createdAt: string }[] = [...first.data, ...second.data];
    expect(new Set(listed.map(({ id }) => id)).size).toBe(22);
    const times = listed.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await list('?page=5&size=10')).toEqual({ data: [], totalCount: 22, page: 5, size: 10 });
    const found = await list('?search=OMER%202&size=2');
    expect([found.totalCount, found.data.length]).toEqual([3, 2]);
    expect((await list('?search=%25')).totalCount).toBe(0);
    expect((await list('?search=Customer_1')).totalCount).toBe(0);
    expect((await list('?search=')).totalCount).toBe(22);
  });

  test.each([
    ['page', 'page=-1'],
    ['page', 'page=x'],
    ['page', 'page=1.5'],
    ['size', 'size=0'],
    ['size', 'size=101'],
    ['search', `search=${'x'.repeat(101)}`],
  ])('rejects a wrong %s: %s', async (field, query) => {
    const { status, body } = await service.request('GET', `/api/customers?${query}`);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  });

  test('rejects the character U+0000', async () => {
    expect((await service.request('GET', '/api/customers?search=%00')).status).toBe(400);
  });
});
