import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { codeOf } from '../../../../../test/harness/dashboard/code-of.ts';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestReply,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { listCaughtMails, personRoutes } from '../index.ts';

const readTwoFactor = statement<Record<never, never>, object>(
  'test_two_factor_read',
  sql()`select secret_sealed, recovery_code_digests from person_two_factor`,
  { readsWholeTables: true },
);

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: true }),
  });
});
afterAll(() => service.close());

const api = '/dashboard/api';
const shown = ({ status, body }: TestReply) => [status, body.name];
const isDone = ({ status, body }: TestReply) => expect(status, JSON.stringify(body)).toBe(200);
const password = 'correct horse battery';

let people = 0;
const signUp = async () => {
  people += 1;
  const email = `grace-${people}@example.com`;
  const visit = openVisit(service);
  const body = { name: 'Grace Hopper', email, password, businessName: 'Harbour Books' };
  isDone(await visit.call('POST', `${api}/sign-up`, body));
  return { ...visit, email };
};

describe('signing up', () => {
  test('makes a person with a business of their own in the sandbox, signed in', async () => {
    const { call, email } = await signUp();
    const me = await call('GET', `${api}/me`);
    expect(me.body).toMatchObject({ email, name: 'Grace Hopper', emailVerified: false });
    const [membership] = me.body.memberships;
    expect(membership).toMatchObject({ businessName: 'Harbour Books', role: 'owner' });
    expect(membership.environments).toEqual(['sandbox']);
  });

  test('gives a cookie that no script reads, no other site sends and no other page gets', async () => {
    const { given } = await signUp();
    const [cookie = ''] = given.filter((each) => each.startsWith('florin_session='));
    expect(cookie).toMatch(/; HttpOnly(;|$)/i);
    expect(cookie).toMatch(/; SameSite=Strict(;|$)/i);
    expect(cookie).toMatch(/; Path=\/dashboard(;|$)/i);
    expect(cookie).toMatch(/; Max-Age=43200(;|$)/i);
  });

  test('is refused for an address that has signed up, and for a short password', async () => {
    const { email } = await signUp();
    const { call } = openVisit(service);
    const body = { name: 'Grace', email, password, businessName: 'Books' };
    expect(shown(await call('POST', `${api}/sign-up`, body))).toEqual([409, 'CONFLICT']);
    const short = await call('POST', `${api}/sign-up`, { ...body, password: 'short' });
    expect(short.body.errors[0].field).toBe('password');
  });
});

describe('signing in', () => {
  test('needs the password, and says the same for an unknown address', async () => {
    const { email } = await signUp();
    const { call } = openVisit(service);
    for (const body of [
      { email, password: 'correct horse' },
      { email: 'unknown@example.com', password },
    ])
      expect(shown(await call('POST', `${api}/sign-in`, body))).toEqual([401, 'WRONG_SIGN_IN']);
    const right = await call('POST', `${api}/sign-in`, { email: email.toUpperCase(), password });
    expect(right.body).toEqual({ codeRequired: false });
    isDone(await call('GET', `${api}/me`));
  });

  test('works for a person that a command or the start added', async () => {
    const { email, password } = await signIn(service.tools, { isOperator: true });
    const { call } = openVisit(service);
    isDone(await call('POST', `${api}/sign-in`, { email, password }));
    expect((await call('GET', `${api}/me`)).body.isOperator).toBe(true);
  });

  test('gives a new token, whatever the browser had: a session cannot be fixed', async () => {
    const { email, call, cookies } = await signUp();
    const before = cookies.get('florin_session') ?? '';
    isDone(await call('POST', `${api}/sign-in`, { email, password }));
    expect(cookies.get('florin_session')).not.toBe(before);
    const old = openVisit(service);
    old.cookies.set('florin_session', before);
    expect(shown(await old.call('GET', `${api}/me`))).toEqual([401, 'SIGN_IN_REQUIRED']);
    const planted = openVisit(service);
    planted.cookies.set('florin_session', `${'a'.repeat(32)}.signature`);
    isDone(await planted.call('POST', `${api}/sign-in`, { email, password }));
    expect(planted.cookies.get('florin_session')).not.toContain('a'.repeat(32));
  });

  test('is limited: ten guesses a minute at one account, then 429', async () => {
    const { email } = await signUp();
    const { call } = openVisit(service);
    const body = { email, password: 'a wrong password' };
    const replies = [];
    for (let guess = 0; guess < 11; guess += 1)
      replies.push((await call('POST', `${api}/sign-in`, body)).status);
    expect(replies).toEqual([...Array(10).fill(401), 429]);
  });

  test('ends with signing out', async () => {
    const { call, cookies } = await signUp();
    const token = cookies.get('florin_session') ?? '';
    isDone(await call('POST', `${api}/sign-out`));
    expect(cookies.has('florin_session')).toBe(false);
    cookies.set('florin_session', token);
    expect(shown(await call('GET', `${api}/me`))).toEqual([401, 'SIGN_IN_REQUIRED']);
  });
});

describe('an authenticator app', () => {
  const withApp = async () => {
    const person = await signUp();
    const { call } = person;
    const started = await call('POST', `${api}/me/authenticator`, { password });
    isDone(started);
    const code = codeOf(started.body.uri);
    expect(started.body.qr.path).toMatch(/^M0 [\d.]+m/);
    isDone(await call('POST', `${api}/me/authenticator/confirm`, { code }));
    return { ...person, ...(started.body as { uri: string; recoveryCodes: string[] }) };
  };

  test('is asked for at the next sign-in; without its code there is no session', async () => {
    const { email, uri } = await withApp();
    const { call } = openVisit(service);
    const first = await call('POST', `${api}/sign-in`, { email, password });
    expect(first.body).toEqual({ codeRequired: true });
    expect(shown(await call('GET', `${api}/me`))).toEqual([401, 'SIGN_IN_REQUIRED']);
    const wrong = await call('POST', `${api}/sign-in/code`, { code: '000000' });
    expect(shown(wrong)).toEqual([401, 'WRONG_SIGN_IN']);
    isDone(await call('POST', `${api}/sign-in/code`, { code: codeOf(uri, 1) }));
    expect((await call('GET', `${api}/me`)).body.twoFactorEnabled).toBe(true);
  });

  test('confirms an act of its person by its code, and of no other person', async () => {
    const { call, uri } = await withApp();
    const wrong = await call('POST', `${api}/step-up`, { code: '000000' });
    expect(shown(wrong)).toEqual([401, 'WRONG_SIGN_IN']);
    const reply = await call('POST', `${api}/step-up`, { code: codeOf(uri, 1) });
    isDone(reply);
    expect((await call('GET', `${api}/me`)).body.steppedUpUntil).toBe(reply.body.steppedUpUntil);
    const without = await (await signUp()).call('POST', `${api}/step-up`, { code: codeOf(uri) });
    expect(shown(without)).toEqual([401, 'WRONG_SIGN_IN']);
  });

  test('gets other recovery codes by the password; those before no longer work', async () => {
    const { call, email, recoveryCodes } = await withApp();
    const path = `${api}/me/authenticator/recovery-codes`;
    const wrong = await call('POST', path, { password: 'not this one' });
    expect(shown(wrong)).toEqual([401, 'WRONG_SIGN_IN']);
    const made = await call('POST', path, { password });
    expect(made.body.recoveryCodes).toHaveLength(10);
    for (const [code, status] of [
      [recoveryCodes[0], 401],
      [made.body.recoveryCodes[0], 200],
    ]) {
      const visit = openVisit(service);
      await visit.call('POST', `${api}/sign-in`, { email, password });
      expect((await visit.call('POST', `${api}/sign-in/code`, { code })).status).toBe(status);
    }
  });

  test('that comes, is used up or goes is mailed to its person, as is a new password', async () => {
    const { call, email } = await withApp();
    isDone(await call('POST', `${api}/me/authenticator/recovery-codes`, { password }));
    isDone(await call('POST', `${api}/me/authenticator/remove`, { password }));
    const newPassword = 'another horse battery';
    isDone(await call('POST', `${api}/me/password`, { currentPassword: password, newPassword }));
    const tools = { ...service.tools, dashboardUrl: 'http://x/dashboard' };
    const mails = (await listCaughtMails(tools, 100)).filter(({ to }) => to === email);
    expect(mails.map(({ subject }) => subject).toReversed()).toEqual([
      'Confirm your address for Florin',
      'An authenticator app was added to your sign-in',
      'Your recovery codes have changed',
      'The authenticator app was removed from your sign-in',
      'Your password was changed',
    ]);
  });

  test('can be replaced by a recovery code, once', async () => {
    const { email, recoveryCodes } = await withApp();
    const [code = ''] = recoveryCodes;
    expect(recoveryCodes.filter((each) => /^\w{5}-\w{5}$/.test(each))).toHaveLength(10);
    for (const status of [200, 401]) {
      const { call } = openVisit(service);
      await call('POST', `${api}/sign-in`, { email, password });
      expect((await call('POST', `${api}/sign-in/code`, { code })).status).toBe(status);
    }
  });

  test('leaves neither secret nor codes readable in the database', async () => {
    const { uri, recoveryCodes } = await withApp();
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    const rows = await service.database.system(readTwoFactor, {});
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    for (const plain of [secret, ...recoveryCodes]) expect(text).not.toContain(plain);
  });

  test('is removed by the password', async () => {
    const { call, email } = await withApp();
    isDone(await call('POST', `${api}/me/authenticator/remove`, { password }));
    const again = openVisit(service);
    const reply = await again.call('POST', `${api}/sign-in`, { email, password });
    expect(reply.body).toEqual({ codeRequired: false });
  });
});

describe('an account', () => {
  test('lists sessions, and ends one or all others at once', async () => {
    const { call, email } = await signUp();
    const others = [openVisit(service), openVisit(service), openVisit(service)];
    for (const other of others)
      isDone(await other.call('POST', `${api}/sign-in`, { email, password }));
    const { data } = (await call('GET', `${api}/me/sessions`)).body;
    expect(data).toHaveLength(4);
    expect(data.map((each: { isCurrent: boolean }) => each.isCurrent)).toContain(true);
    const [newest] = data;
    isDone(await call('DELETE', `${api}/me/sessions/${newest.sessionId}`));
    expect((await others[2]?.call('GET', `${api}/me`))?.status).toBe(401);
    const gone = await call('DELETE', `${api}/me/sessions/${newest.sessionId}`);
    expect(shown(gone)).toEqual([404, 'NOT_FOUND']);
    expect((await call('DELETE', `${api}/me/sessions`)).body).toEqual({ revoked: 2 });
    isDone(await call('GET', `${api}/me`));
  });

  test('cannot end the session of another person', async () => {
    const [one, other] = [await signUp(), await signUp()];
    const { sessionId } = (await other.call('GET', `${api}/me`)).body;
    const reply = await one.call('DELETE', `${api}/me/sessions/${sessionId}`);
    expect(shown(reply)).toEqual([404, 'NOT_FOUND']);
    isDone(await other.call('GET', `${api}/me`));
  });

  test('changes its password, which ends every other session', async () => {
    const { call, email } = await signUp();
    const other = openVisit(service);
    isDone(await other.call('POST', `${api}/sign-in`, { email, password }));
    const newPassword = 'another horse battery';
    const wrong = { currentPassword: 'not this one', newPassword };
    expect(shown(await call('POST', `${api}/me/password`, wrong))).toEqual([401, 'WRONG_SIGN_IN']);
    isDone(await call('POST', `${api}/me/password`, { currentPassword: password, newPassword }));
    isDone(await call('GET', `${api}/me`));
    expect((await other.call('GET', `${api}/me`)).status).toBe(401);
    isDone(await other.call('POST', `${api}/sign-in`, { email, password: newPassword }));
  });

  test('steps up by its password', async () => {
    const { call } = await signUp();
    const { steppedUpUntil } = (await call('GET', `${api}/me`)).body;
    const wrong = await call('POST', `${api}/step-up`, { password: 'not this one' });
    expect(shown(wrong)).toEqual([401, 'WRONG_SIGN_IN']);
    const both = await call('POST', `${api}/step-up`, { password, code: '123456' });
    expect(shown(both)).toEqual([400, 'BAD_REQUEST']);
    const reply = await call('POST', `${api}/step-up`, { password });
    isDone(reply);
    expect(reply.body.steppedUpUntil > steppedUpUntil).toBe(true);
  });
});

test('addresses of the sign-in library are not served', async () => {
  const { call } = await signUp();
  for (const path of [
    'sign-up/email',
    'sign-in/email',
    'update-user',
    'delete-user',
    'change-email',
  ])
    expect((await call('POST', `/dashboard/auth/${path}`, {})).status).toBe(404);
  for (const path of ['get-session', 'list-sessions', 'ok', 'error', 'list-accounts'])
    expect((await call('GET', `/dashboard/auth/${path}`)).status).toBe(404);
});

test('an installation by invite takes no sign-ups', async () => {
  const closed = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: false }),
  });
  const { call } = openVisit(closed);
  const body = { name: 'Grace', email: 'g@example.com', password, businessName: 'Books' };
  expect(shown(await call('POST', `${api}/sign-up`, body))).toEqual([403, 'NOT_ENABLED']);
  expect((await call('GET', `${api}/sign-in`)).body.openSignUp).toBe(false);
  await closed.close();
});
