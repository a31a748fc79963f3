import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { type SignedIn, signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { operatorRoutes, personRoutes } from '../index.ts';

let service: TestService;
let secret: string;
let client: pg.Client;
let owner: SignedIn;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...personRoutes({ ...tools, openSignUp: false }), ...operatorRoutes(tools)],
  });
  ({ secret } = await service.newOperator('Ada'));
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  owner = await signIn(service.tools, { merchantId: service.merchant.merchantId });
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const remove = (email: string) =>
  service.request('POST', '/api/operator/deleted-people', { secret, body: { email } });

/** Every table in which a row holds the text. */
const placesOf = async (text: string): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(
      `select from florin.${name} t where t::text like '%' || $1 || '%' limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
};

const callAs = ({ headers }: SignedIn, path: string) =>
  service.request('GET', `/dashboard/api${path}`, { secret: null, headers });

test('a person is deleted with all that signs them in, and only the audit keeps their id', async () => {
  const { merchantId } = service.merchant;
  const member = await signIn(service.tools, { merchantId, role: 'manager' });
  const { email, password, personId } = member;
  await openVisit(service).call('POST', '/dashboard/api/sign-in', { email, password });
  await openVisit(service).call('POST', '/dashboard/api/new-password/request', { email });
  const team = `/dashboard/api/merchants/${merchantId}/sandbox/team/invites`;
  const { headers } = owner;
  await service.request('POST', team, {
    ...{ secret: null, headers, body: { email, role: 'cashier' } },
  });
  expect(await placesOf(email)).toEqual(
    expect.arrayContaining(['invite', 'person', 'person_mail']),
  );
  expect((await callAs(member, '/me')).status).toBe(200);
  expect(await remove(` ${email.toUpperCase()}`)).toMatchObject({
    status: 200,
    body: { personId },
  });
  expect((await callAs(member, '/me')).status).toBe(401);
  expect(await placesOf(email)).toEqual([]);
  expect(await placesOf(personId)).toEqual(['audit_record']);
  expect(await remove(email)).toMatchObject({ status: 404, body: { name: 'NOT_FOUND' } });
});

test('the last owner of a business is refused, with the business, until there is another', async () => {
  const { merchantId } = service.merchant;
  const refused = await remove(owner.email);
  expect(refused).toMatchObject({ status: 409, body: { name: 'CONFLICT' } });
  expect(refused.body.message).toContain(merchantId);
  const other = await signIn(service.tools, { merchantId });
  const both = await Promise.all([remove(owner.email), remove(other.email)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

/** So many statements of the service wait for a lock of another. */
const waiting = (wanted: number) =>
  waitUntil(async () => {
    // Within a transaction the first answer would be repeated.
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows[0]?.waiting).toBe(wanted);
    return true;
  });

test('a person who accepts an invite while deleted: neither statement blocks the other', async () => {
  const { merchantId } = service.merchant;
  const guest = await signIn(service.tools, {});
  const { headers } = await signIn(service.tools, { merchantId });
  const team = `/dashboard/api/merchants/${merchantId}/sandbox/team/invites`;
  const body = { email: guest.email, role: 'cashier' };
  const invited = await service.request('POST', team, { secret: null, headers, body });
  const token = invited.body.path.split('#').at(1);
  await client.query('begin');
  await client.query('select from florin.invite where email = $1 for update', [guest.email]);
  const accepting = service.request('POST', '/dashboard/api/invites/accept', {
    ...{ secret: null, headers: guest.headers, body: { token } },
  });
  await waiting(1);
  const deleting = remove(guest.email);
  await waiting(2);
  await client.query('commit');
  expect([(await accepting).status, (await deleting).status]).toEqual([200, 200]);
  expect(await placesOf(guest.email)).toEqual([]);
});
