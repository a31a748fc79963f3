import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isPermitted,
  memberRequirements,
  permissionsOf,
  requirementOf,
  roles,
} from '../../contract/dashboard/index.ts';
import { limits } from '../../contract/limits.ts';
import { dashboardOperations, operations } from '../../contract/operations.ts';
import { Failure } from '../../service/src/kernel/failure.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { dashboardAddress } from '../../service/src/platform/http/dashboard-address.ts';
import type { Route } from '../../service/src/platform/http/route.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openTestService, type TestReply, type TestService } from '../harness/open-test-service.ts';
import { servedRoutes } from './served-routes.ts';

// What all operations of the dashboard have in common, tested for each: who is let in to its handler.
const reached = { name: 'REACHED', status: 418, message: 'The handler was reached.' };
const routes: readonly Route[] = (await servedRoutes()).map((route) => ({
  ...route,
  handle: async () => {
    throw new Failure(reached);
  },
}));
const ofMembers = routes.filter(({ operation }) => requirementOf(operation.id));
const ofOperators = routes.filter(({ operation }) => operation.access === 'operator');
const ofPeople = routes.filter(({ operation }) => operation.access === 'person');

const ageSession = statement<{ readonly sessionId: string; readonly age: string }, never>(
  'test_session_age',
  sql('sessionId', 'age')`
   update person_session set authenticated_at = authenticated_at - :age::interval
   where session_id = :sessionId::uuid`,
);
const endSession = statement<{ readonly sessionId: string }, never>(
  'test_session_end',
  sql('sessionId')`delete from person_session where session_id = :sessionId::uuid`,
);

let service: TestService;
let otherMerchantId: string;
const members: Record<string, SignedIn> = {};
let owner: SignedIn;
let operator: SignedIn;
beforeAll(async () => {
  service = await openTestService({ routes: () => routes });
  const { merchantId } = service.merchant;
  otherMerchantId = (await service.newMerchant()).merchantId;
  for (const role of roles) members[role] = await signIn(service.tools, { merchantId, role });
  owner = members.owner as SignedIn;
  operator = await signIn(service.tools, { isOperator: true });
});
afterAll(() => service.close());

const anyId = '00000000-0000-4000-8000-000000000000';

type Target = { readonly merchantId?: string; readonly environment?: string };

const call = (
  { operation }: Route,
  headers: Readonly<Record<string, string>>,
  { merchantId = service.merchant.merchantId, environment = 'sandbox' }: Target = {},
): Promise<TestReply> => {
  const path = (dashboardAddress(operation) ?? '')
    .replace(':inMerchant', merchantId)
    .replace(':inEnvironment', environment)
    .replace(':environment', 'sandbox')
    .replace(/:\w+/g, anyId);
  const body = operation.method === 'GET' ? {} : { body: {} };
  return service.request(operation.method, path, { secret: null, headers, ...body });
};

const shown = ({ status, body }: TestReply) => [status, body.name];
/** The guard let the call in: the handler answered, or the check of its input. */
const isLetIn = ({ status, body }: TestReply): boolean =>
  status === reached.status || (status === 400 && body.name === 'BAD_REQUEST');
const named = (list: readonly Route[]) =>
  list.map((each, at) => [each.operation.id, each, at] as const);
/** One of them for each operation, another for the next; all in the long run. */
const inTurn = <Each>(all: readonly Each[], at: number): readonly Each[] =>
  isLongRun ? all : all.slice(at % all.length, (at % all.length) + 1);
const changing = [...ofMembers, ...ofOperators].filter(
  ({ operation }) => operation.method !== 'GET',
);

describe('the table of permissions', () => {
  test('names operations that exist, and every one that members alone call', () => {
    const known = [...operations, ...dashboardOperations];
    const ids = new Set(known.map(({ id }) => id));
    expect(memberRequirements().filter(([id]) => !ids.has(id))).toEqual([]);
    const ofDashboard = known.filter(({ access }) => access === 'member');
    expect(ofDashboard.filter(({ id }) => !requirementOf(id))).toEqual([]);
  });

  test('serves only what a merchant may call to members', () => {
    const accesses = new Set(ofMembers.map(({ operation }) => operation.access));
    for (const access of accesses)
      expect(['secret', 'sandboxSecret', 'optionalSecret', 'member']).toContain(access);
  });

  test('lets each lesser role do less than an owner, and a cashier refund nothing', () => {
    for (const role of roles.filter((each) => each !== 'owner'))
      expect(permissionsOf[role].length).toBeLessThan(permissionsOf.owner.length);
    expect(isPermitted('cashier', 'payments.refund')).toBe(false);
    expect(permissionsOf.readOnly.every((each) => each.endsWith('.read'))).toBe(true);
  });
});

describe.each(named(ofMembers))('%s', (id, route) => {
  test('is served to each as the table says', async () => {
    for (const role of roles) {
      const reply = await call(route, members[role]?.headers ?? {});
      const requirement = requirementOf(id);
      if (requirement && isPermitted(role, requirement.permission))
        expect(isLetIn(reply), `${role} ${JSON.stringify(reply.body)}`).toBe(true);
      else expect([role, ...shown(reply)]).toEqual([role, 403, 'NOT_PERMITTED']);
    }
  });

  test('answers 404 for another merchant, one that does not exist and no id', async () => {
    for (const merchantId of [otherMerchantId, anyId, 'none'])
      expect(shown(await call(route, owner.headers, { merchantId }))).toEqual([404, 'NOT_FOUND']);
    const nowhere = await call(route, owner.headers, { environment: 'SANDBOX' });
    expect(shown(nowhere)).toEqual([404, 'NOT_FOUND']);
  });
});

describe.each(named([...ofMembers, ...ofOperators, ...ofPeople]))('%s', (_, route, at) => {
  test('answers 401 without a session, with a secret, and with a wrong session', async () => {
    const { cookie: _cookie, ...page } = owner.headers;
    const authorization = `Bearer ${service.sandboxSecret}`;
    const cookie = `${owner.headers.cookie?.slice(0, -3)}000`;
    for (const headers of inTurn([page, { ...page, authorization }, { ...page, cookie }], at))
      expect(shown(await call(route, headers))).toEqual([401, 'SIGN_IN_REQUIRED']);
  });
});

describe.each(named(ofOperators))('%s', (_, route) => {
  test('is served to an operator alone', async () => {
    expect(isLetIn(await call(route, operator.headers))).toBe(true);
    expect(shown(await call(route, owner.headers))).toEqual([403, 'NOT_PERMITTED']);
  });
});

const otherSites: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: '' },
  // Of a file.
  { origin: 'null' },
  { 'florin-dashboard': '' },
  { 'sec-fetch-site': 'cross-site' },
  // Another host of the same site.
  { 'sec-fetch-site': 'same-site' },
];

describe.each(named(changing))('%s', (_, route, at) => {
  test('refuses all foreign sites', async () => {
    const { headers } = route.operation.access === 'operator' ? operator : owner;
    for (const change of inTurn(otherSites, at))
      expect(shown(await call(route, { ...headers, ...change })), JSON.stringify(change)).toEqual([
        403,
        'CROSS_SITE',
      ]);
  });
});

describe('a session', () => {
  const route = routes.find(({ operation }) => operation.id === 'listStores') as Route;
  const refund = routes.find(({ operation }) => operation.id === 'requestRefund') as Route;

  test('that ended is refused at once', async () => {
    const { merchantId } = service.merchant;
    const { headers, sessionId } = await signIn(service.tools, { merchantId });
    expect(isLetIn(await call(route, headers))).toBe(true);
    await service.database.system(endSession, { sessionId });
    expect(shown(await call(route, headers))).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  test('needs another sign-in for a refund after ten minutes', async () => {
    const { merchantId } = service.merchant;
    const { headers, sessionId } = await signIn(service.tools, { merchantId });
    expect(isLetIn(await call(refund, headers))).toBe(true);
    await service.database.system(ageSession, { sessionId, age: `${limits.stepUpMs} ms` });
    expect(shown(await call(refund, headers))).toEqual([403, 'SIGN_IN_AGAIN']);
    expect(isLetIn(await call(route, headers))).toBe(true);
  });

  test('sees production only where the operator has let the merchant into it', async () => {
    const { merchantId } = service.merchant;
    const guest = await signIn(service.tools, { merchantId, inProduction: false });
    const target = { environment: 'production' };
    expect(shown(await call(route, guest.headers, target))).toEqual([404, 'NOT_FOUND']);
    expect(isLetIn(await call(route, owner.headers, target))).toBe(true);
    const inSandbox = routes.find(({ operation }) => operation.id === 'payInSandbox') as Route;
    expect(shown(await call(inSandbox, owner.headers, target))).toEqual([400, 'SANDBOX_ONLY']);
  });
});
