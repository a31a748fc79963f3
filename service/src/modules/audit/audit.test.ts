import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openVisit } from '../../../../test/harness/dashboard/open-visit.ts';
import { type SignedIn, signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestReply,
  type TestRequest,
  type TestService,
} from '../../../../test/harness/open-test-service.ts';
import { merchantRoutes } from '../customers/index.ts';
import { personRoutes } from '../people/index.ts';
import { merchantRoutes as webhookRoutes } from '../webhooks/index.ts';
import { verifyChain } from './chain.ts';
import { memberRoutes } from './routes.ts';

let service: TestService;
let owner: SignedIn;
let cashier: SignedIn;
let admin: pg.Client;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [
      ...personRoutes({ ...tools, openSignUp: true }),
      ...merchantRoutes(tools),
      ...webhookRoutes(tools),
      ...memberRoutes(tools),
    ],
  });
  const { merchantId } = service.merchant;
  owner = await signIn(service.tools, { merchantId });
  cashier = await signIn(service.tools, { merchantId, role: 'cashier' });
  admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await admin.query('set search_path = florin');
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const api = '/dashboard/api';
const call = (
  method: string,
  path: string,
  { by = owner, environment = 'sandbox', ...sent }: Sent = {},
): Promise<TestReply> =>
  service.request(method, `${api}/merchants/${service.merchant.merchantId}/${environment}${path}`, {
    ...{ secret: null, headers: by.headers },
    ...sent,
  });
type Sent = TestRequest & { readonly by?: SignedIn; readonly environment?: string };

type Listed = Readonly<Record<string, unknown>>;
const list = async (query = '', sent: Sent = {}): Promise<readonly Listed[]> => {
  const { status, body } = await call('GET', `/audit${query}`, sent);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const newest = async (query = ''): Promise<Listed> => (await list(query))[0] ?? {};
const count = async (): Promise<number> => (await verifyChain(service.tools)).records;

describe('a record', () => {
  test('says who changed what, when, from which network, and what became of it', async () => {
    const invited = { email: 'new@example.com', role: 'manager' };
    const { body } = await call('POST', '/team/invites', { body: invited });
    expect(await newest()).toMatchObject({
      ...{ actorKind: 'MEMBER', actorId: owner.personId, actor: 'Ada Lovelace' },
      ...{ operation: 'inviteMember', summary: 'Invite a person to the business.' },
      ...{ addressPrefix: '127.0.0.0/24', environment: 'SANDBOX', outcome: 'DONE' },
      ...{ detail: { role: 'manager' }, madeIds: { inviteId: body.inviteId } },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const stored = JSON.stringify((await admin.query('select r::text from audit_record r')).rows);
    expect(stored).not.toContain(body.path.split('#').at(1));
    expect(stored).not.toContain('new@example.com');
    expect(stored).not.toContain('Ada Lovelace');
  });

  test('is kept of what a role or a check refuses, and of no call that only reads', async () => {
    const before = await count();
    await call('GET', '/team');
    await call('GET', '/team', { by: cashier });
    expect(await count()).toBe(before);
    const path = `/team/${owner.personId}`;
    await call('PUT', path, { by: cashier, body: { role: 'readOnly' } });
    expect(await newest()).toMatchObject({
      ...{ actorId: cashier.personId, operation: 'changeRole', outcome: 'NOT_PERMITTED' },
      detail: { personId: owner.personId, role: 'readOnly' },
    });
    await call('PUT', path, { body: { role: '<script>' } });
    expect(await newest()).toMatchObject({ outcome: 'BAD_REQUEST', detail: {} });
    await call('PUT', path, { body: { role: 'manager' } });
    expect(await newest()).toMatchObject({ operation: 'changeRole', outcome: 'CONFLICT' });
  });

  test('holds nothing of a payer', async () => {
    const before = await count();
    const person = { fullName: 'Zebedee Quill', email: 'zebedee@example.com' };
    const { body, status } = await call('POST', '/api/customers', { body: person });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(await count()).toBe(before + 2);
    const rows = await admin.query('select r::text as text from audit_record r');
    expect(JSON.stringify(rows.rows)).not.toMatch(/Zebedee|Quill|zebedee/);
  });

  test('is kept of what a secret changes of endpoints, not of what else it does', async () => {
    const body = { url: 'https://hooks.example.com/in', events: ['PAYMENTS_STATUS'] };
    const made = await service.request('POST', '/api/webhook/v2/endpoints', { body });
    const endpoint = await newest('?operation=createWebhookEndpoint');
    expect(endpoint, JSON.stringify(made.body)).toMatchObject({
      ...{ outcome: 'DONE', madeIds: { id: made.body.id } },
      ...{ actorKind: 'SECRET', actorId: service.merchant.secrets.SANDBOX.secretId },
      addressPrefix: '127.0.0.0/24',
    });
    const before = await count();
    await service.request('POST', '/api/customers', { body: { fullName: 'A' } });
    expect(await count()).toBe(before);
  });
});

describe('the account of a person', () => {
  const attempts = (actorId: string) => list(`?actorId=${actorId}`);
  const outcomes = async (actorId: string) =>
    (await attempts(actorId)).map(({ operation, outcome }) => `${operation} ${outcome}`);

  test('is recorded: sign-in, a wrong one, step-up, a session ended, sign-out', async () => {
    const { merchantId } = service.merchant;
    const { personId, email, password } = await signIn(service.tools, { merchantId });
    const visit = openVisit(service);
    const done = async (method: string, path: string, body?: unknown) =>
      expect((await visit.call(method, `${api}${path}`, body)).status).toBe(200);
    await visit.call('POST', `${api}/sign-in`, { email, password: 'wrong password' });
    await done('POST', '/sign-in', { email, password });
    await done('POST', '/step-up', { password });
    await done('DELETE', '/me/sessions');
    await done('POST', '/me/authenticator', { password });
    await done('POST', '/sign-out');
    expect(await outcomes(personId)).toEqual([
      ...['signOut DONE', 'startAuthenticator DONE', 'revokeOtherSessions DONE', 'stepUp DONE'],
      ...['signIn DONE', 'signIn WRONG_SIGN_IN'],
    ]);
    const texts = JSON.stringify((await admin.query('select r::text from audit_record r')).rows);
    for (const secret of [email, password, 'wrong password']) expect(texts).not.toContain(secret);
  });

  test('is not recorded of an unknown address', async () => {
    const before = await count();
    const body = { email: 'unknown@example.com', password: 'any password' };
    await openVisit(service).call('POST', `${api}/sign-in`, body);
    expect(await count()).toBe(before);
  });

  test('is recorded when a known address requests a link to a new password, not of another', async () => {
    const { personId, email } = await signIn(service.tools, {
      merchantId: service.merchant.merchantId,
    });
    const request = (address: string) =>
      openVisit(service).call('POST', `${api}/new-password/request`, { email: address });
    const before = await count();
    expect((await request('unknown@example.com')).status).toBe(200);
    expect(await count()).toBe(before);
    expect((await request(email)).status).toBe(200);
    expect(await outcomes(personId)).toEqual(['requestNewPassword DONE']);
  });

  test('is recorded when they call for a business that is not theirs, some times', async () => {
    const other = await service.newMerchant();
    const stranger = await signIn(service.tools, { merchantId: other.merchantId });
    for (const environment of ['production', ...Array(11).fill('sandbox')])
      expect((await call('GET', '/team', { by: stranger, environment })).status).toBe(404);
    const { rows } = await admin.query(
      `select kind, action, actor_kind, merchant_id, environment, detail, outcome from audit_record
       where actor_id = $1 order by position`,
      [stranger.personId],
    );
    expect(rows).toHaveLength(10);
    expect(rows[0]).toEqual({
      ...{ kind: 'ACT', action: 'listTeam', actor_kind: 'PERSON', environment: 'PRODUCTION' },
      ...{ merchant_id: service.merchant.merchantId, detail: '{}', outcome: 'NOT_FOUND' },
    });
    const path = `${api}/merchants/${other.merchantId}/sandbox/audit`;
    const theirs = await service.request('GET', path, { secret: null, headers: stranger.headers });
    expect([theirs.status, theirs.body.data]).toEqual([200, []]);
    expect(await attempts(stranger.personId)).toEqual([]);
  });

  test('shows to a business from the invite on that made its person a member', async () => {
    const invited = { email: 'joins@example.com', role: 'cashier' };
    const { path } = (await call('POST', '/team/invites', { body: invited })).body;
    const accepted = { token: path.split('#').at(1), name: 'Joe', password: 'a long password' };
    const { call: visit } = openVisit(service);
    expect((await visit('POST', `${api}/invites/accept-new`, accepted)).status).toBe(200);
    expect(await newest()).toMatchObject({ operation: 'acceptInviteAsNew', actor: 'Joe' });
    const stranger = await signIn(service.tools, {});
    await openVisit(service).call('POST', `${api}/sign-in`, stranger);
    expect(await attempts(stranger.personId)).toEqual([]);
  });
});

describe('the list', () => {
  test('is for a role that may read it, in pages, and filtered', async () => {
    expect((await call('GET', '/audit', { by: cashier })).status).toBe(403);
    const whole = await list('?limit=100');
    const pages: Listed[] = [];
    let before = '';
    do {
      const { body } = await call('GET', `/audit?limit=3${before && `&before=${before}`}`);
      pages.push(...body.data);
      before = body.nextBefore ?? '';
    } while (before);
    expect(pages).toEqual(whole);
    const roles = await list('?operation=changeRole&limit=100');
    expect(roles.length).toBeGreaterThan(2);
    expect(roles).toEqual(whole.filter(({ operation }) => operation === 'changeRole'));
    const dayOf = ({ startedAt }: Listed) =>
      new Date(String(startedAt)).toLocaleDateString('en-CA', { timeZone: 'Europe/London' });
    const day = dayOf(whole[0] ?? {});
    const ofDay = whole.filter((record) => dayOf(record) === day);
    expect(await list(`?day=${day}&limit=100`)).toEqual(ofDay);
    expect(await list('?day=2020-01-01')).toEqual([]);
  });

  test('shows nothing of another merchant, and in the sandbox nothing of production', async () => {
    const other = await service.newMerchant();
    const stranger = await signIn(service.tools, { merchantId: other.merchantId });
    const path = `${api}/merchants/${other.merchantId}/sandbox`;
    const sent = { secret: null, headers: stranger.headers };
    await service.request('POST', `${path}/team/invites`, {
      ...{ ...sent, body: { email: 'far@example.com', role: 'owner' } },
    });
    const theirs = (await service.request('GET', `${path}/audit`, sent)).body.data;
    expect(theirs.map(({ operation }: Listed) => operation)).toEqual(['inviteMember']);
    const inProduction = { environment: 'production' };
    const body = { email: 'live@example.com', role: 'owner' };
    await call('POST', '/team/invites', { ...inProduction, body });
    const isLive = ({ environment }: Listed) => environment === 'PRODUCTION';
    expect((await list('?limit=100')).filter(isLive)).toEqual([]);
    const all = await list('?limit=100', inProduction);
    expect(all.filter(isLive)).toHaveLength(1);
    expect(all.map(({ recordId }) => recordId)).not.toContain(theirs[0].recordId);
  });
});
