import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openVisit } from '../../../../../test/harness/dashboard/open-visit.ts';
import { type SignedIn, signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import {
  openTestService,
  type TestReply,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { listCaughtMails, personRoutes } from '../index.ts';
import { testMailQueue } from '../test/test-mail-queue.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => personRoutes({ ...tools, openSignUp: true }),
  });
});
afterAll(() => service.close());

const api = '/dashboard/api';
const password = 'correct horse battery';
const newPassword = 'another horse battery';
const dashboardUrl = 'http://localhost:3000/dashboard';
const shown = ({ status, body }: TestReply) => [status, body.name];
const isDone = ({ status, body }: TestReply) => expect(status, JSON.stringify(body)).toBe(200);

const age = statement<{ readonly by: string }, never>(
  'test_person_links_age',
  sql('by')`
   with mails as (update person_mail set expires_at = expires_at - :by::interval)
   update person_link set expires_at = expires_at - :by::interval`,
);
const unprove = statement<{ readonly personId: string }, never>(
  'test_person_unprove',
  sql('personId')`update person set email_verified = false where person_id = :personId::uuid`,
);
const addKey = statement<{ readonly personId: string }, never>(
  'test_passkey',
  sql('personId')`
   insert into person_passkey (passkey_id, person_id, name, public_key, credential, counter,
     device_type, backed_up)
   values (gen_random_uuid(), :personId::uuid, 'Phone', 'k', gen_random_uuid()::text, 0, 'd', false)`,
);

const mailsTo = async (email: string) =>
  (await listCaughtMails({ ...service.tools, dashboardUrl }, 100)).filter(({ to }) => to === email);
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
const tokenTo = async (email: string, path: string): Promise<string> => {
  const [mail] = (await mailsTo(email)).filter(({ text }) => text.includes(`/${path}#`));
  return new RegExp(`/dashboard/${path}#(\\S+)`).exec(mail?.text ?? '')?.[1] ?? '';
};

let people = 0;
const signUp = async () => {
  people += 1;
  const email = `mary-${people}@example.com`;
  const visit = openVisit(service);
  const body = { name: 'Mary', email, password, businessName: 'Harbour Books' };
  const reply = await visit.call('POST', `${api}/sign-up`, body);
  isDone(reply);
  return { ...visit, email, merchantId: String(reply.body.merchantId) };
};
const person = () => signIn(service.tools, { merchantId: service.merchant.merchantId });
const forget = async (email: string): Promise<string> => {
  isDone(await openVisit(service).call('POST', `${api}/new-password/request`, { email }));
  return tokenTo(email, 'new-password');
};
const choose = (token: string, chosen = newPassword) =>
  openVisit(service).call('POST', `${api}/new-password`, { token, password: chosen });
const meOf = ({ headers }: SignedIn) =>
  service.request('GET', `${api}/me`, { secret: null, headers });

describe('an address', () => {
  test('is proven by the link that was mailed, once', async () => {
    const { call, email } = await signUp();
    const token = await tokenTo(email, 'verify-email');
    expect((await call('GET', `${api}/me`)).body.emailVerified).toBe(false);
    const visit = openVisit(service);
    expect((await visit.call('POST', `${api}/verify-email`, { token })).body).toEqual({ email });
    expect((await call('GET', `${api}/me`)).body.emailVerified).toBe(true);
    const again = await visit.call('POST', `${api}/verify-email`, { token });
    expect(shown(again)).toEqual([404, 'NOT_FOUND']);
    const other = await visit.call('POST', `${api}/verify-email`, { token: 'x' });
    expect(shown(other)).toEqual([404, 'NOT_FOUND']);
  });

  test('is not proven after a day, and not by a link for a new password', async () => {
    const { call, email } = await signUp();
    const token = await tokenTo(email, 'verify-email');
    await service.database.system(age, { by: '24 hours 1 second' });
    expect(shown(await call('POST', `${api}/verify-email`, { token }))).toEqual([404, 'NOT_FOUND']);
    const wrong = await call('POST', `${api}/verify-email`, { token: await forget(email) });
    expect(shown(wrong)).toEqual([404, 'NOT_FOUND']);
  });

  test('gets another link, at most three in an hour, also at the same time', async () => {
    const { call, email } = await signUp();
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', `${api}/me/verification`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test('that is not proven opens no production, no invites and no operation', async () => {
    const who = await signIn(service.tools, {
      merchantId: service.merchant.merchantId,
      isOperator: true,
    });
    const call = (environment: string, method = 'GET', path = '', body?: unknown) =>
      service.request(
        method,
        `${api}/merchants/${service.merchant.merchantId}/${environment}/team${path}`,
        { secret: null, headers: who.headers, ...(body === undefined ? {} : { body }) },
      );
    expect((await call('production')).status).toBe(200);
    await service.database.system(unprove, { personId: who.personId });
    expect(shown(await call('production'))).toEqual([403, 'ADDRESS_NOT_PROVEN']);
    expect((await call('sandbox')).status).toBe(200);
    const invited = { email: 'guest@example.com', role: 'cashier' };
    const invite = await call('sandbox', 'POST', '/invites', invited);
    expect(shown(invite)).toEqual([403, 'ADDRESS_NOT_PROVEN']);
    const [membership] = (await meOf(who)).body.memberships;
    expect(membership.environments).toEqual(['sandbox']);
  });
});

test('a link of a mail holds its token behind the #, which no server or log is sent', async () => {
  const { email } = await signUp();
  await forget(email);
  const links = (await mailsTo(email)).map(({ text }) => new URL(/http\S+/.exec(text)?.[0] ?? ''));
  expect(links.map(({ pathname }) => pathname).sort()).toEqual([
    ...['/dashboard/new-password', '/dashboard/verify-email'],
  ]);
  for (const { hash, search } of links) {
    expect(hash.length).toBeGreaterThan(30);
    expect(search).toBe('');
  }
});

describe('a forgotten password', () => {
  test('is replaced by the link that was mailed, once; every session ends', async () => {
    const who = await person();
    const token = await forget(who.email.toUpperCase().toLowerCase());
    const replies = await Promise.all([choose(token), choose(token)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await meOf(who)).status).toBe(401);
    const { call } = openVisit(service);
    const old = await call('POST', `${api}/sign-in`, { email: who.email, password: who.password });
    expect(shown(old)).toEqual([401, 'WRONG_SIGN_IN']);
    const body = { email: who.email, password: newPassword };
    isDone(await call('POST', `${api}/sign-in`, body));
    expect(await subjectsTo(who.email)).toContain('Your password was changed');
  });

  test('is answered the same for an address of no person, which gets no mail', async () => {
    const who = await person();
    const request = (email: string) =>
      openVisit(service).call('POST', `${api}/new-password/request`, { email });
    const [known, unknown] = [await request(who.email), await request('unknown@example.com')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(await mailsTo('unknown@example.com')).toEqual([]);
  });

  test('uses up every other link for one, and none works after half an hour', async () => {
    const who = await person();
    const first = await forget(who.email);
    const second = await forget(who.email);
    expect(second).not.toBe(first);
    isDone(await choose(second));
    expect(shown(await choose(first))).toEqual([404, 'NOT_FOUND']);
    const late = await forget(who.email);
    await service.database.system(age, { by: '30 minutes 1 second' });
    expect(shown(await choose(late))).toEqual([404, 'NOT_FOUND']);
    const short = await choose('x', 'short');
    expect(short.body.errors[0].field).toBe('password');
  });

  test('sends three mails an hour to an address, and takes ten requests a minute', async () => {
    const who = await person();
    const { call } = openVisit(service);
    const replies = await Promise.all(
      Array.from({ length: 11 }, () =>
        call('POST', `${api}/new-password/request`, { email: who.email }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
    expect(await mailsTo(who.email)).toHaveLength(3);
  });

  test('proves the address, and ends what somebody else set up with it before', async () => {
    const who = await person();
    const { personId } = who;
    await service.database.system(unprove, { personId });
    await service.database.system(addKey, { personId });
    isDone(await choose(await forget(who.email)));
    expect(await subjectsTo(who.email)).toContain('A passkey was removed from your sign-in');
    const { call } = openVisit(service);
    isDone(await call('POST', `${api}/sign-in`, { email: who.email, password: newPassword }));
    expect((await call('GET', `${api}/me`)).body.emailVerified).toBe(true);
    expect((await call('GET', `${api}/me/passkeys`)).body.data).toEqual([]);
    // A proven one keeps them.
    await service.database.system(addKey, { personId });
    isDone(await choose(await forget(who.email), password));
    isDone(await call('POST', `${api}/sign-in`, { email: who.email, password }));
    expect((await call('GET', `${api}/me/passkeys`)).body.data).toHaveLength(1);
  });

  test('is not stored, and no link stands in the database or a log', async () => {
    const who = await person();
    const token = await forget(who.email);
    const read = statement<object, { readonly all: string }>(
      'test_person_mail_text',
      sql()`select (select json_agg(m)::text from person_mail m)
         || (select json_agg(l)::text from person_link l) as all`,
    );
    const [row] = await service.database.system(read, {});
    expect(row?.all).not.toContain(token);
    expect(row?.all).toContain(who.email);
  });
});

describe('the queue', () =>
  testMailQueue(() => ({
    tools: { ...service.tools, dashboardUrl },
    queueMail: async () => void (await forget((await person()).email)),
    ageMails: (by) => service.database.system(age, { by }),
  })));
