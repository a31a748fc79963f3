import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { personRoutes } from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: true }),
  });
});
afterAll(() => service.close());

const api = '/dashboard/api';
const password = 'correct horse battery';

test('who confirms goes on by another token, and the last one is of nobody', async () => {
  const { call, cookies } = openVisit(service);
  const body = { name: 'Grace', email: 'grace@example.com', password, businessName: 'Books' };
  expect((await call('POST', `${api}/sign-up`, body)).status).toBe(200);
  const before = cookies.get('florin_session') ?? '';
  const { sessionId } = (await call('GET', `${api}/me`)).body;
  const stepUp = () => call('POST', `${api}/step-up`, { password });
  expect((await stepUp()).status).toBe(200);
  expect(cookies.get('florin_session')).not.toBe(before);
  expect((await call('GET', `${api}/me`)).body.sessionId).toBe(sessionId);
  // Also for the sign-in library, which reads its signature.
  expect((await stepUp()).status).toBe(200);
  const stale = openVisit(service);
  stale.cookies.set('florin_session', before);
  const refused = await stale.call('GET', `${api}/me`);
  expect([refused.status, refused.body.name]).toEqual([401, 'SIGN_IN_REQUIRED']);
});
