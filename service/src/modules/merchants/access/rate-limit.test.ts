import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { merchantRoutes } from '../index.ts';
import { mintAccessSecret } from './secrets.ts';

let nowMs = Date.now();
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };

describe('a service with rate limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService({
      routes: merchantRoutes,
      settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
      clock,
    });
  });
  afterAll(() => service.close());

  const burst = (secret: string) =>
    Promise.all(
      Array.from({ length: 101 }, () => service.request('GET', '/api/cli/identity', { secret })),
    );

  test('answers 429 with retry-after to the 101st request of a production secret', async () => {
    const replies = await burst(service.productionSecret);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(refused[0]?.body).toMatchObject({ name: 'RATE_LIMITED', status: 429, errors: [] });
    nowMs += 1_000;
    const again = await service.request('GET', '/api/cli/identity', {
      secret: service.productionSecret,
    });
    expect(again.status).toBe(200);
  });

  test('limits refused secrets by address, and shuts out nobody who has a valid one', async () => {
    const identity = async (secret: string, address: string) => {
      const headers = { 'x-forwarded-for': address };
      const reply = await service.request('GET', '/api/cli/identity', { secret, headers });
      return reply.status;
    };
    const wrong = mintAccessSecret('PRODUCTION', service.tools.ids.bytes);
    const guesses = Array.from({ length: 25 }, (_, at) =>
      identity(at % 2 ? wrong : 'wrong', '203.0.113.9'),
    );
    const statuses = (await Promise.all(guesses)).sort();
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    expect(await identity(service.productionSecret, '203.0.113.9')).toBe(200);
    expect(await identity('wrong', '203.0.113.10')).toBe(401);
    nowMs += 1_000;
    expect(await identity('wrong', '203.0.113.9')).toBe(401);
  });

  test('does not limit the sandbox', async () => {
    for (const { status } of await burst(service.sandboxSecret)) expect(status).toBe(200);
  });

  test('limits over a real socket', async () => {
    const address = await service.listen();
    const reply = await fetch(`${address}/api/payments/stores`, {
      headers: { authorization: `Bearer ${service.sandboxSecret}` },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await reply.json()).toMatchObject({ totalCount: 1, page: '0' });
  });
});
