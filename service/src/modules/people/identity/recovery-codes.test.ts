import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { lookInto } from '../../../../../test/harness/invariants/look-into.ts';
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
const change = (text: string, values: readonly unknown[] = []) =>
  lookInto(service.databaseUrl, async (client) => (await client.query(text, [...values])).rows);
const readDigests = async (): Promise<readonly string[]> =>
  JSON.parse((await change('select recovery_code_digests as text from person_two_factor'))[0].text);
const signIn = async (code: string) => {
  const visit = openVisit(service);
  await visit.call('POST', `${api}/sign-in`, { email, password });
  return (await visit.call('POST', `${api}/sign-in/code`, { code })).status;
};

test('recovery codes are stored as slow digests, and each signs in once', async () => {
  const { call } = openVisit(service);
  const person = { name: 'Grace Hopper', email, password, businessName: 'Harbour Books' };
  expect((await call('POST', `${api}/sign-up`, person)).status).toBe(200);
  const started = await call('POST', `${api}/me/authenticator`, { password });
  const codes: readonly string[] = started.body.recoveryCodes;
  await change('update person set two_factor_enabled = true');
  await change('update person_two_factor set verified = true');
  const digests = await readDigests();
  expect(digests).toHaveLength(10);
  const salts = digests.map((digest) =>
    /^scrypt:32768:8:3:([0-9a-f]{32}):[0-9a-f]{128}$/.exec(digest),
  );
  expect(new Set(salts.map((found) => found?.[1])).size).toBe(1);
  expect(await signIn(digests[3] ?? '')).toBe(400);
  expect(await signIn(codes[3] ?? '')).toBe(200);
  expect(await readDigests()).toEqual(digests.filter((_, at) => at !== 3));
  expect(await signIn(codes[3] ?? '')).toBe(401);
  expect(await signIn(codes[9] ?? '')).toBe(200);
});
