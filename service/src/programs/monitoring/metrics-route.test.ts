import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRequests } from '#platform/http/log-requests.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { healthRoutes } from '../wiring/health-routes.ts';
import { metricsRoute } from './metrics-route.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  countRequests(service.app);
  healthRoutes(service.app, service.tools);
  metricsRoute(service.app, service.tools);
});
afterAll(() => service.close());

const open = (path: string, headers: Record<string, string> = {}) =>
  service.request('GET', path, { secret: null, headers });

const countOf = (body: string, routeName: string): number =>
  Number(
    body
      .split(`florin_http_requests_total{route="${routeName}",status="2xx"} `)[1]
      ?.split('\n')[0] ?? 0,
  );

describe('/metrics', () => {
  test('counts by route, without ids', async () => {
    // Other test files of the same worker count too.
    const before = countOf((await open('/metrics')).body, 'GET /health/live');
    await open('/health/live');
    await open('/health/live');
    await open('/pay-unknown/0b2c2d0e-8d0f-4a52-9b7e-0d1a2b3c4d5e');
    // A request is counted when its reply has left, which may be after the caller has it.
    const { status, body, headers } = await waitUntil(async () => {
      const reply = await open('/metrics');
      const isCounted = countOf(reply.body, 'GET /health/live') === before + 2;
      return isCounted && reply.body.includes('route="none"') && reply;
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(body).toContain('# TYPE florin_http_requests_total counter\n');
    expect(body).toMatch(/^florin_http_requests_total\{route="none",status="4xx"\} [1-9]\d*$/m);
    expect(body).toMatch(
      /^florin_http_request_ms_bucket\{route="GET \/health\/live",le="\+Inf"\} ([2-9]|[1-9]\d+)$/m,
    );
    expect(body.match(/# TYPE florin_http_request_ms histogram/g)).toHaveLength(1);
    expect(body).toMatch(/^florin_process_resident_bytes \d+$/m);
    expect(body).not.toContain('0b2c2d0e');
  });

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'is not found through a proxy (%s)',
    async (name) => {
      expect((await open('/metrics', { [name]: '127.0.0.1' })).status).toBe(404);
    },
  );

  test('needs the token when there is one, from anywhere', async () => {
    const app = fastify();
    const config = { ...service.tools.config, metricsToken: 'a token of the operator' };
    metricsRoute(app, { ...service.tools, config });
    const call = (authorization?: string) =>
      app.inject({
        url: '/metrics',
        remoteAddress: '203.0.113.9',
        headers: { 'x-forwarded-for': '203.0.113.9', ...(authorization && { authorization }) },
      });
    expect((await call('Bearer a token of the operator')).statusCode).toBe(200);
    for (const wrong of [undefined, 'Bearer another', 'a token of the operator'])
      expect((await call(wrong)).statusCode).not.toBe(200);
    await app.close();
  });

  test('is open to this machine only without a token', async () => {
    const reply = await service.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' });
    expect(reply.statusCode).toBe(404);
  });
});
