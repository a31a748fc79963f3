import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissionsOf } from '../../../../../contract/dashboard/index.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { addMembership, personRoutes } from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: true }),
  });
});
afterAll(() => service.close());

test('says who is signed in, and what they may do for which merchant', async () => {
  const { merchantId } = service.merchant;
  const other = (await service.newMerchant({ businessName: 'Night Bakery' })).merchantId;
  const person = await signIn(service.tools, { merchantId, role: 'manager', isOperator: true });
  const { personId, email, sessionId, headers } = person;
  const cashier = { merchantId: other, personId, role: 'cashier', inProduction: false } as const;
  await addMembership(service.tools, cashier);
  const reply = await service.request('GET', '/dashboard/api/me', { secret: null, headers });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    ...{ personId, email, sessionId, name: 'Ada Lovelace' },
    ...{ emailVerified: true, twoFactorEnabled: false, isOperator: true },
    steppedUpUntil: expect.stringMatching(/^\d{4}-.*Z$/),
    memberships: [
      {
        merchantId,
        businessName: 'Corner Coffee',
        environments: ['sandbox', 'production'],
        role: 'manager',
        permissions: permissionsOf.manager,
      },
      {
        merchantId: other,
        businessName: 'Night Bakery',
        environments: ['sandbox'],
        role: 'cashier',
        permissions: permissionsOf.cashier,
      },
    ],
  });
});

test('answers 401 without a session', async () => {
  const reply = await service.request('GET', '/dashboard/api/me');
  expect([reply.status, reply.body.name]).toEqual([401, 'SIGN_IN_REQUIRED']);
});
