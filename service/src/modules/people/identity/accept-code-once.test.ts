import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../../../../test/harness/dashboard/code-of.ts';
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
const [email, password] = ['grace@example.com', 'correct horse battery'];

test('a code of the app is accepted once, also of those that race for it', async () => {
  const { call } = openVisit(service);
  const person = { name: 'Grace Hopper', email, password, businessName: 'Harbour Books' };
  expect((await call('POST', `${api}/sign-up`, person)).status).toBe(200);
  const { uri } = (await call('POST', `${api}/me/authenticator`, { password })).body;
  const first = { code: codeOf(uri) };
  const statusOf = async (path: string, body: object) =>
    (await call('POST', `${api}${path}`, body)).status;
  expect(await statusOf('/me/authenticator/confirm', first)).toBe(200);
  expect(await statusOf('/step-up', first)).toBe(401);

  const visits = [openVisit(service), openVisit(service), openVisit(service)];
  for (const visit of visits) await visit.call('POST', `${api}/sign-in`, { email, password });
  const next = { code: codeOf(uri, 1) };
  const raced = await Promise.all(
    visits.map((visit) => visit.call('POST', `${api}/sign-in/code`, next)),
  );
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  expect(raced.find(({ status }) => status === 401)?.body.name).toBe('WRONG_SIGN_IN');
  expect(await statusOf('/step-up', next)).toBe(401);
  expect(await statusOf('/step-up', first)).toBe(401);
});
