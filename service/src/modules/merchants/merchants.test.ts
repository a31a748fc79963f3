import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { merchantRoutes, sandboxRoutes } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...sandboxRoutes(tools)],
  });
});
afterAll(() => service.close());

test('a secret tells whose it is', async () => {
  const { status, body } = await service.request('GET', '/api/cli/identity');
  expect(status).toBe(200);
  expect(body).toEqual({
    merchantId: service.merchant.merchantId,
    businessName: 'Corner Coffee',
    key: { sdkAccessId: service.merchant.secrets.SANDBOX.secretId, env: 'SANDBOX', keyType: 'SDK' },
  });
});
