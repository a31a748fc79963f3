import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../../../contract/limits.ts';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { type SignedIn, signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestReply,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { listCaughtMails, personRoutes, sessionJobs } from '../index.ts';

let service: TestService;
let owner: SignedIn;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: false }),
  });
  owner = await signIn(service.tools, { merchantId: service.merchant.merchantId });
});
afterAll(() => service.close());

const expireInvites = statement<{ readonly days: number; readonly email: string }, never>(
  'test_expire_invites',
  sql('days', 'email')`
   update invite set expires_at = clock_timestamp() - :days::int * interval '1 day'
   where email = :email`,
  { guardedBy: 'test' },
);

const api = '/dashboard/api';
const password = 'correct horse battery';
const shown = ({ status, body }: TestReply) => [status, body.name];
const team = (method: string, path = '', body?: unknown, by: SignedIn = owner) =>
  service.request(method, `${api}/merchants/${service.merchant.merchantId}/sandbox/team${path}`, {
    ...{ secret: null, headers: by.headers },
    ...(body === undefined ? {} : { body }),
  });
const invite = async (email: string, role: string) => {
  const { status, body } = await team('POST', '/invites', { email, role });
  expect(status, JSON.stringify(body)).toBe(200);
  return { inviteId: body.inviteId as string, token: String(body.path).split('#').at(1) ?? '' };
};

test('an invited cashier comes with a password of their own, once, and may not refund', async () => {
  const { token } = await invite('Cashier@Example.com', 'cashier');
  const { call } = openVisit(service);
  const read = await call('POST', `${api}/invites/read`, { token });
  expect(read.body).toMatchObject({
    email: 'cashier@example.com',
    role: 'cashier',
    isKnown: false,
  });
  const accepted = { token, name: 'Cass Ier', password };
  const { merchantId } = (await call('POST', `${api}/invites/accept-new`, accepted)).body;
  expect(merchantId).toBe(service.merchant.merchantId);
  expect(shown(await call('POST', `${api}/invites/accept-new`, accepted))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  const signedIn = await call('POST', `${api}/sign-in`, { email: 'cashier@example.com', password });
  expect(signedIn.status).toBe(200);
  const [membership] = (await call('GET', `${api}/me`)).body.memberships;
  expect(membership.role).toBe('cashier');
  expect(membership.permissions).not.toContain('payments.refund');
  const { members, invites } = (await team('GET')).body;
  expect(members).toContainEqual(
    expect.objectContaining({ name: 'Cass Ier', twoFactorEnabled: false, hasPasskey: false }),
  );
  expect(invites).toEqual([]);
});

test('every member and invite is reached by pages, the newest first', async () => {
  const newest = await signIn(service.tools, {
    ...{ merchantId: service.merchant.merchantId, role: 'cashier' },
  });
  const { inviteId } = await invite('late@example.com', 'cashier');
  const first = (await team('GET', '?size=1')).body;
  expect(first.members[0].personId).toBe(newest.personId);
  expect(first.invites[0].email).toBe('late@example.com');
  const reached: string[] = [];
  for (let page = 0; page < first.memberCount; page += 1)
    for (const { personId } of (await team('GET', `?size=1&page=${page}`)).body.members)
      reached.push(personId);
  expect(new Set(reached).size).toBe(first.memberCount);
  expect(reached.at(-1)).toBe(owner.personId);
  await team('DELETE', `/${newest.personId}`);
  await team('DELETE', `/invites/${inviteId}`);
});

test('an invite is taken by the person of its address alone, and not when it was withdrawn', async () => {
  const guest = await signIn(service.tools, { name: 'Guest' });
  const { token } = await invite(guest.email, 'developer');
  const accept = (by: SignedIn, taken: string) =>
    service.request('POST', `${api}/invites/accept`, {
      ...{ secret: null, headers: by.headers, body: { token: taken } },
    });
  expect(shown(await accept(owner, token))).toEqual([404, 'NOT_FOUND']);
  expect((await accept(guest, token)).status).toBe(200);
  expect(shown(await accept(guest, token))).toEqual([404, 'NOT_FOUND']);
  const other = await invite('other@example.com', 'manager');
  expect((await team('DELETE', `/invites/${other.inviteId}`)).status).toBe(200);
  const { call } = openVisit(service);
  const gone = await call('POST', `${api}/invites/read`, { token: other.token });
  expect(shown(gone)).toEqual([404, 'NOT_FOUND']);
  expect(shown(await team('DELETE', `/invites/${other.inviteId}`))).toEqual([404, 'NOT_FOUND']);
});

test('an invite that has expired is listed, can be withdrawn, and is pruned a month later', async () => {
  const expire = (days: number) =>
    service.database.system(expireInvites, { days, email: 'late@example.com' });
  const { inviteId } = await invite('late@example.com', 'developer');
  await expire(1);
  const listed = async () =>
    (await team('GET')).body.invites.map((each: { inviteId: string }) => each.inviteId);
  expect(await listed()).toEqual([inviteId]);
  expect((await team('DELETE', `/invites/${inviteId}`)).status).toBe(200);
  expect(await listed()).toEqual([]);
  await invite('late@example.com', 'developer');
  await expire(31);
  for (const { run } of sessionJobs(service.tools)) await run();
  expect(await listed()).toEqual([]);
});

test('a member who is removed loses the business at once, and the last owner stays', async () => {
  const { merchantId } = service.merchant;
  const member = await signIn(service.tools, { merchantId, role: 'manager' });
  expect((await team('GET', '', undefined, member)).status).toBe(200);
  expect((await team('PUT', `/${member.personId}`, { role: 'cashier' })).status).toBe(200);
  const before = service.logged.length;
  for (const _ of [1, 2])
    expect(shown(await team('GET', '', undefined, member))).toEqual([403, 'NOT_PERMITTED']);
  const lines = service.logged.slice(before).filter((line) => line.includes('a call was refused'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      ...{ personId: member.personId, address: '127.0.0.0/24', failure: 'NOT_PERMITTED' },
      route: 'GET /dashboard/api/merchants/:inMerchant/:inEnvironment/team',
    },
  ]);
  expect((await team('DELETE', `/${member.personId}`)).status).toBe(200);
  expect(shown(await team('GET', '', undefined, member))).toEqual([404, 'NOT_FOUND']);
  expect(shown(await team('DELETE', `/${member.personId}`))).toEqual([404, 'NOT_FOUND']);
  expect(shown(await team('DELETE', `/${owner.personId}`))).toEqual([409, 'CONFLICT']);
  const demoted = await team('PUT', `/${owner.personId}`, { role: 'cashier' });
  expect(shown(demoted)).toEqual([409, 'CONFLICT']);
});

test('of two owners who remove each other at the same time one stays', async () => {
  const { merchantId } = service.merchant;
  const second = await signIn(service.tools, { merchantId });
  const replies = await Promise.all([
    team('DELETE', `/${owner.personId}`, undefined, second),
    team('DELETE', `/${second.personId}`, undefined, owner),
  ]);
  expect(replies.map(({ status }) => status)).toContain(200);
  const left = [await team('GET', '', undefined, owner), await team('GET', '', undefined, second)];
  expect(left.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('of two owners who lower each other at the same time one stays an owner', async () => {
  const { merchantId } = await service.newMerchant();
  const [one, other] = [
    await signIn(service.tools, { merchantId }),
    await signIn(service.tools, { merchantId }),
  ];
  const lower = ({ personId }: SignedIn, by: SignedIn) =>
    service.request('PUT', `${api}/merchants/${merchantId}/sandbox/team/${personId}`, {
      ...{ secret: null, headers: by.headers, body: { role: 'cashier' } },
    });
  const replies = await Promise.all([lower(one, other), lower(other, one)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = replies.find(({ status }) => status !== 200);
  expect(['CONFLICT', 'NOT_PERMITTED']).toContain(refused?.body.name);
});

describe('an invite', () => {
  const mailsTo = async (email: string) =>
    (await listCaughtMails({ ...service.tools, dashboardUrl: 'http://x/dashboard' }, 100)).filter(
      ({ to }) => to === email,
    );
  const linkTo = async (email: string): Promise<string> => {
    const [mail] = (await mailsTo(email)).filter(({ text }) => text.includes('/invites#'));
    return /\/dashboard\/invites#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  };
  const join = (token: string) =>
    openVisit(service).call('POST', `${api}/invites/accept-new`, { token, name: 'Ann', password });
  const isProven = async (email: string): Promise<boolean> => {
    const { call } = openVisit(service);
    await call('POST', `${api}/sign-in`, { email, password });
    return (await call('GET', `${api}/me`)).body.emailVerified;
  };
  let host: SignedIn;
  beforeAll(async () => {
    host = await signIn(service.tools, {
      merchantId: service.merchant.merchantId,
      name: 'Eve http://evil.example/x <b>\nBcc: y@z.example',
    });
  });
  const make = async (email: string) =>
    (await team('POST', '/invites', { email, role: 'manager' }, host)).body;

  test('is mailed with a link of its own, which proves the address', async () => {
    expect(await make('ann@example.com')).toMatchObject({ isMailed: true });
    const token = await linkTo('ann@example.com');
    expect((await join(token)).status).toBe(200);
    expect(await isProven('ann@example.com')).toBe(true);
    const { path } = await make('bob@example.com');
    const copied = String(path).split('#').at(1) ?? '';
    expect(copied).not.toBe(await linkTo('bob@example.com'));
    expect((await join(copied)).status).toBe(200);
    expect(await isProven('bob@example.com')).toBe(false);
    const [verification] = await mailsTo('bob@example.com');
    expect(verification?.subject).toContain('Confirm your address');
    expect(shown(await join(await linkTo('bob@example.com')))).toEqual([404, 'NOT_FOUND']);
  });

  test('shows names without what a mail program makes a link or a header of', async () => {
    await make('carl@example.com');
    const [mail] = await mailsTo('carl@example.com');
    expect(mail?.subject).toBe('Join Corner Coffee at Florin');
    expect(mail?.text.split('\n')[0]).toBe(
      'Eve http evil example x b Bcc: y z example invites you to Corner Coffee as a manager. Accept here:',
    );
  });

  test('is sent again with other links, while it is open', async () => {
    const { inviteId, path } = await make('dan@example.com');
    const before = await linkTo('dan@example.com');
    const again = await team('POST', `/invites/${inviteId}/again`, {}, host);
    expect(again.body).toMatchObject({ inviteId, isMailed: true });
    const copied = String(path).split('#').at(1) ?? '';
    for (const old of [before, copied]) expect(shown(await join(old))).toEqual([404, 'NOT_FOUND']);
    expect((await join(await linkTo('dan@example.com'))).status).toBe(200);
    const late = await team('POST', `/invites/${inviteId}/again`, {}, host);
    expect(shown(late)).toEqual([404, 'NOT_FOUND']);
  });

  test('is mailed five times a day to one address, and made fifty times by one business', async () => {
    const { merchantId } = await service.newMerchant();
    const busy = await signIn(service.tools, { merchantId });
    const invite = (email: string) =>
      service.request('POST', `${api}/merchants/${merchantId}/sandbox/team/invites`, {
        ...{ secret: null, headers: busy.headers, body: { email, role: 'cashier' } },
      });
    const made = [];
    for (let each = 0; each <= limits.invitesPerDay; each += 1)
      made.push(await invite('flood@example.com'));
    expect(made.filter(({ body }) => body.isMailed)).toHaveLength(limits.inviteMailsPerDay);
    expect(made.filter(({ status }) => status === 200)).toHaveLength(limits.invitesPerDay);
    expect(made.at(-1)?.status).toBe(429);
  });
});
