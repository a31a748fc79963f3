import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { permissionsOf } from '../../../../../contract/dashboard/index.ts';
import { listMerchants } from '../../../../../contract/operator/merchants.ts';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { addMembership, personRoutes, startSession } from '../index.ts';
import { pruneSessions } from './store/sessions.ts';

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
    ...{ emailVerified: true, twoFactorEnabled: false, needsSecondFactor: false, isOperator: true },
    operatorName: 'Florin',
    steppedUpUntil: expect.stringMatching(/^\d{4}-.*Z$/),
    memberships: [
      {
        merchantId,
        businessName: 'Corner Coffee',
        environments: ['sandbox', 'production'],
        sandboxAheadMs: 0,
        suspensions: [],
        role: 'manager',
        permissions: permissionsOf.manager,
      },
      {
        merchantId: other,
        businessName: 'Night Bakery',
        environments: ['sandbox'],
        sandboxAheadMs: 0,
        suspensions: [],
        role: 'cashier',
        permissions: permissionsOf.cashier,
      },
    ],
  });
});

const setSession = statement<
  { readonly sessionId: string; readonly usedAgo: string; readonly provenAgo: string },
  never
>(
  'test_session_set_use',
  sql('sessionId', 'usedAgo', 'provenAgo')`
   update person_session set used_at = now() - :usedAgo::interval,
     authenticated_at = now() - :provenAgo::interval
   where session_id = :sessionId::uuid`,
);
const readUse = statement<{ readonly sessionId: string }, { readonly idle: boolean }>(
  'test_session_use',
  sql('sessionId')`
   select used_at < now() - interval '10 minutes' as idle from person_session
   where session_id = :sessionId::uuid`,
);

test('a session ends an hour after its person last did something', async () => {
  const { sessionId, headers } = await signIn(service.tools, {});
  const other = await signIn(service.tools, {});
  const path = '/dashboard/api/me';
  const read = async (more: object = {}) =>
    (await service.request('GET', path, { secret: null, headers: { ...headers, ...more } })).status;
  const isIdle = async () => (await service.database.system(readUse, { sessionId }))[0]?.idle;
  const used = (usedAgo: string) =>
    service.database.system(setSession, { sessionId, usedAgo, provenAgo: '0' });
  await used('59 minutes');
  expect([await read({ 'florin-idle-seconds': '3500' }), await isIdle()]).toEqual([200, true]);
  expect([await read({ 'florin-idle-seconds': 'soon' }), await isIdle()]).toEqual([200, false]);
  await used('61 minutes');
  expect(await read()).toBe(401);
  const list = await service.request('GET', `${path}/sessions`, { secret: null, ...other });
  expect(list.body.data).toHaveLength(1);
});

test('other sessions are ended by who has just proved who they are', async () => {
  const { sessionId, headers } = await signIn(service.tools, {});
  await service.database.system(setSession, { sessionId, usedAgo: '0', provenAgo: '11 minutes' });
  for (const path of ['/me/sessions', `/me/sessions/${sessionId}`]) {
    const reply = await service.request('DELETE', `/dashboard/api${path}`, {
      ...{ secret: null, headers },
    });
    expect([reply.status, reply.body.name]).toEqual([403, 'SIGN_IN_AGAIN']);
  }
});

const secondFactor = statement<{ readonly sessionId: string; readonly isOn: boolean }, never>(
  'test_session_by_passkey',
  sql('sessionId', 'isOn')`
   update person_session set by_passkey = :isOn::boolean where session_id = :sessionId::uuid`,
);

const empty = { page: 1, size: 1, data: [], totalCount: 0 };

test('who works in production has a second factor, where the installation asks for one', async () => {
  const asking = await openTestService({
    settings: { SECOND_FACTOR: 'production' },
    routes: (tools) => [
      ...personRoutes({ ...tools, openSignUp: true }),
      { operation: listMerchants, handle: async () => empty } as never,
    ],
  });
  const { merchantId } = asking.merchant;
  const person = await signIn(asking.tools, { merchantId, isOperator: true });
  const { headers, sessionId } = person;
  const get = async (path: string) => {
    const { status, body } = await asking.request('GET', `/dashboard/api${path}`, {
      ...{ secret: null, headers },
    });
    return [status, status === 200 ? body.needsSecondFactor : body.name];
  };
  const team = (environment: string) => get(`/merchants/${merchantId}/${environment}/team`);
  const refused = [403, 'SECOND_FACTOR_REQUIRED'];
  expect(await get('/me')).toEqual([200, true]);
  expect(await team('production')).toEqual(refused);
  expect(await get('/operator/api/operator/merchants')).toEqual(refused);
  expect(await team('sandbox')).toEqual([200, undefined]);
  await asking.database.system(secondFactor, { sessionId, isOn: true });
  expect(await get('/me')).toEqual([200, false]);
  expect(await team('production')).toEqual([200, undefined]);
  expect(await get('/operator/api/operator/merchants')).toEqual([200, undefined]);
  await asking.close();
});

test('answers 401 without a session', async () => {
  const reply = await service.request('GET', '/dashboard/api/me');
  expect([reply.status, reply.body.name]).toEqual([401, 'SIGN_IN_REQUIRED']);
});

const counts = statement<
  Record<never, never>,
  { readonly people: number; readonly merchants: number; readonly members: number }
>(
  'test_sign_up_counts',
  sql()`select (select count(*)::int from person) as people,
     (select count(*)::int from merchant) as merchants,
     (select count(*)::int from membership) as members`,
  { readsWholeTables: true },
);

test('of two sign-ups with one address at once, one makes a person, a business and a session', async () => {
  const body = { name: 'Grace', email: 'Grace@Example.com', password: 'a long password' };
  const [before] = await service.database.system(counts, {});
  const visits = Array.from({ length: 6 }, () => openVisit(service));
  const replies = await Promise.all(
    visits.map(({ call }) =>
      call('POST', '/dashboard/api/sign-up', { ...body, businessName: 'Harbour Books' }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const [after] = await service.database.system(counts, {});
  const { people = 0, merchants = 0, members = 0 } = before ?? {};
  expect(after).toEqual({ people: people + 1, merchants: merchants + 1, members: members + 1 });
  const won = visits[replies.findIndex(({ status }) => status === 200)];
  expect((await won?.call('GET', '/dashboard/api/me'))?.body.email).toBe('grace@example.com');
});

test('a sign-up gives another session than the one that was planted in the browser', async () => {
  const planted = openVisit(service);
  const token = 'a'.repeat(32);
  planted.cookies.set('florin_session', `${token}.signature`);
  const body = { name: 'Joan', email: 'joan@example.com', password: 'a long password' };
  await planted.call('POST', '/dashboard/api/sign-up', { ...body, businessName: 'Tea' });
  expect(planted.cookies.get('florin_session')).not.toContain(token);
  expect((await planted.call('GET', '/dashboard/api/me')).status).toBe(200);
});

const endAll = statement<{ readonly personId: string }, never>(
  'test_session_end_all',
  sql('personId')`
   with gone as (
     update person_session set expires_at = now() - interval '1 second'
     where person_id = :personId::uuid)
   insert into person_verification (verification_id, identifier, value, expires_at)
   values (gen_random_uuid(), 'test', 'v', now() - interval '1 second')`,
);

test('what has ended is deleted in batches, and nothing else', async () => {
  const [ended, active] = [await signIn(service.tools, {}), await signIn(service.tools, {})];
  await startSession(service.tools, ended.personId);
  await service.database.system(endAll, ended);
  const prune = async (limit: number) =>
    Number((await service.database.system(pruneSessions, { limit, inviteDays: 30 }))[0]?.pruned);
  expect(await prune(1)).toBe(2);
  expect(await prune(100)).toBe(1);
  expect(await prune(100)).toBe(0);
  const { headers } = active;
  const reply = await service.request('GET', '/dashboard/api/me', { secret: null, headers });
  expect(reply.status).toBe(200);
});
