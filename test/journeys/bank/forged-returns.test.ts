import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchMessages } from '../../../service/src/rails/open-banking-uk/test/watch-messages.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import type { ReturnParameters } from '../../harness/open-payer.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { bankEventSteps } from './bank-event-steps.ts';

let journey: Journey;
const messages = watchMessages();
let victim: string;
let back: Readonly<Record<string, string>>;

beforeAll(async () => {
  journey = await openJourney();
  victim = await journey.create();
  back = (await journey.payer.approve(await journey.payer.start(victim))) ?? {};
});
afterAll(() => journey.close());

const formType = 'application/x-www-form-urlencoded';

/** Bytes as they are: no client of ours repairs them on the way. */
const send = (
  method: string,
  path: string,
  body: Buffer | string = '',
  type = formType,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(journey.sandbox.url);
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const sent = request({ hostname, port, method, path, headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    });
    // A server that has read enough may hang up while we still send.
    sent.once('error', (error: NodeJS.ErrnoException) =>
      ['EPIPE', 'ECONNRESET'].includes(error.code ?? '') ? resolve(413) : reject(error),
    );
    sent.end(body);
  });

const jwt = (claims: unknown): string =>
  ['{"alg":"PS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

const stateOfVictim = async (): Promise<string> =>
  (await journey.attemptsOf(victim))[0]?.oauth_state ?? '';

const many = Array.from({ length: 3_000 }, (_, at) => `p${at}=${at}`).join('&');

const queries: readonly (readonly [name: string, query: string])[] = [
  ['nothing', ''],
  ['an empty state', 'state='],
  ['an unknown state', 'state=abcdefghjkmnpqrstvwx0123456789ab'],
  ['a forbidden character', 'state=%00'],
  ['invalid UTF-8', 'state=%ff%fe&response=%c3%28'],
  ['a cut escape', 'state=%&response=%e'],
  ['the same name many times', 'state=a&state=b&response=c&response=d'],
  ['names of objects', '__proto__=x&constructor=y&toString=z&response=a.b.c'],
  ['brackets', 'state[a]=b&response[]=c'],
  ['no token', 'response=garbage'],
  ['a token of nothing', `response=${jwt(null)}`],
  ['a token of a list', `response=${jwt([1, 2])}`],
  ['a token of an unknown state', `response=${jwt({ state: 'abcdefghjkmnpqrstvwx0123' })}`],
  ['a token with a forbidden character', `response=${jwt({ state: 'a\u0000b' })}`],
  ['a token whose state is no text', `response=${jwt({ state: { $ne: null } })}`],
  ['a token that is no JSON', 'response=a.bm90IGpzb24.c'],
  ['a very long state', `state=${'a'.repeat(9_000)}`],
  ['an error without a state', 'error=access_denied&error_description=%3Cscript%3E'],
];

describe('forged returns', () => {
  test.each(queries)('%s', async (_, query) => {
    expect(await send('GET', `/bank-return?${query}`)).toBeLessThan(500);
    expect(await send('POST', '/bank-return', query)).toBeLessThan(500);
  });

  test.each([
    ['three thousand parameters', many, formType],
    ['a megabyte', `response=${'a'.repeat(1_048_576)}`, formType],
    ['a megabyte of nothing', Buffer.alloc(1_048_576), formType],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7919) % 256)),
      formType,
    ],
    ['JSON', '{"state":{"a":1},"response":["x"]}', 'application/json'],
    ['half a character', '{"state":"\\ud83d"}', 'application/json'],
    ['JSON that is none', '{"state":', 'application/json'],
    ['a number', '5', 'application/json'],
    ['XML', '<state/>', 'application/xml'],
    ['no type that exists', 'x', 'not a type'],
  ] as const)('a form of %s', async (_, body, type) => {
    expect(await send('POST', '/bank-return', body, type)).toBeLessThan(500);
  });

  test('the other routes of the page reject them too', async () => {
    for (const [, query] of queries)
      for (const path of ['/pay', '/pay/events'])
        expect(await send('GET', `${path}?paymentRequestId=x&${query}`)).toBeLessThan(500);
    for (const path of ['/pay/start', '/pay/more-time'])
      for (const body of [
        many,
        'paymentRequestId=%ff',
        `paymentRequestId=${victim}&locale=%ff`,
        '\u0000',
      ])
        expect(await send('POST', path, body)).toBeLessThan(500);
    const halves = `{"paymentRequestId":"${victim}","locale":"\\ud83d","institutionId":"\\ud83d"}`;
    for (const path of ['/pay/start', '/pay/more-time'])
      expect(await send('POST', path, halves, 'application/json')).toBeLessThan(500);
  });

  test("rejects a wrong signature, another payment's answer or a bare code", async () => {
    const state = await stateOfVictim();
    const other = await journey.create();
    const otherBack = await journey.payer.approve(await journey.payer.start(other));
    const forged: readonly ReturnParameters[] = [
      { state, response: jwt({ state, code: 'x', iss: 'x', aud: 'x' }) },
      { state, response: otherBack?.response ?? '' },
      { response: `${back.response?.slice(0, -8)}AAAAAAAA` },
      { state, code: 'x' },
      { state, error: 'access_denied' },
    ];
    for (const parameters of forged)
      expect(await journey.payer.comeBack(parameters)).toMatchObject({ status: 400 });
    // A state beside a genuine answer only selects the payment; the signed one decides.
    await journey.payer.comeBack({ state: 'abcdefghjkmnpqrstvwx0123456789ab', ...back });
    expect(await journey.standing(other)).toBe('AWAITING_AUTHORIZATION');
  });
});

test('the real answer still pays once, also when replayed', async () => {
  await journey.payer.comeBack(back);
  await journey.becomes(victim, 'COMPLETED AC.*');
  const before = await journey.eventsOf(victim);
  for (let replay = 0; replay < 5; replay += 1)
    expect(await journey.payer.comeBack(back)).toMatchObject({ status: 303 });
  expect((await journey.eventsOf(victim)).slice(0, before.length)).toEqual(before);
  await journey.allAgree();
});

const day = 86_400_000;

const payAs = async (login: string, bankId: string, standing: string): Promise<string> => {
  const id = await journey.create();
  await journey.payer.pay(id, login, bankId);
  await journey.becomes(id, standing);
  return id;
};

// One of each version of the standard.
describe('notifications of banks', () => {
  const bankIds = ['northfield-sandbox', 'larkrise-sandbox'] as const;
  const shown = isLongRun ? bankIds : bankIds.slice(0, 1);
  // On the eighth day a bank reverses one and pays the other; the next poll is much later.
  const paid = new Map<string, string>();
  const held = new Map<string, string>();
  const stepsOf = (bankId: string) => bankEventSteps(journey, bankId);
  const idAt = (bankId: string): string => paid.get(bankId) ?? '';

  beforeAll(async () => {
    for (const bankId of shown) {
      paid.set(bankId, await payAs('rejected-days-later', bankId, 'COMPLETED ACSC'));
      held.set(bankId, await payAs('settled-days-later', bankId, 'PENDING PDNG'));
    }
    // Half an hour before the next of the hourly polls.
    await journey.advance(7 * day + day / 48);
  });

  test('what is not of this bank for us changes nothing, and no caller finds out ids', async () => {
    const { about, sign, post, planned, address } = stepsOf('northfield-sandbox');
    const id = idAt('northfield-sandbox');
    const before = await planned(id);
    expect(before.inSeconds).toBeGreaterThan(3_600);
    const claims = about('domestic-payment', before.reference);
    const good = await sign(claims);
    const seconds = Math.floor(Date.now() / 1000);
    const refused: readonly (readonly [number, string, string?, string?])[] = [
      [400, await sign(claims, 'harbour-sandbox')],
      [400, await sign(claims, 'larkrise-sandbox', 'another-key')],
      [400, await sign(claims, 'northfield-sandbox', '')],
      [400, await sign({ ...claims, aud: 'another-client' })],
      [400, await sign({ ...claims, iss: 'https://another.example' })],
      [400, await sign({ ...claims, iat: seconds - 2 * 86_400 })],
      [400, await sign({ ...claims, iat: seconds + 3_600 })],
      [400, await sign({})],
      [400, `${good.slice(0, -8)}AAAAAAAA`],
      [400, 'garbage'],
      [413, 'x'.repeat(20_000)],
      [415, good, 'application/json'],
      [415, good, 'text/plain'],
      [404, good, undefined, address.replace('northfield', 'mock')],
      [404, good, undefined, address.replace('northfield-sandbox', 'no-bank')],
      [404, good, undefined, address.replace('sandbox/', 'production/')],
      [202, await sign(about('domestic-payment', 'dp-unknown'))],
      [202, await sign(about('account-access-consent', 'aac-unknown'))],
      [202, await sign(about('something-new', before.reference))],
    ];
    for (const [status, token, type, path] of refused)
      expect([status, await post(token, type, path)]).toEqual([status, status]);
    // Another bank may not speak of this payment.
    const { sign: signElsewhere, post: postElsewhere } = stepsOf('larkrise-sandbox');
    expect(await postElsewhere(await signElsewhere(claims))).toBe(202);
    const { inSeconds, ...after } = await planned(id);
    expect(before).toMatchObject(after);
    expect(inSeconds).toBeGreaterThan(3_600);
  });

  test('one that is replayed makes few polls, which change nothing', async () => {
    const { about, sign, post, planned, address } = stepsOf('northfield-sandbox');
    const id = idAt('northfield-sandbox');
    const before = await planned(id);
    const events = await journey.eventsOf(id);
    const token = await sign(about('domestic-payment', before.reference));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        // Some banks add the name of the resource to our address, some do not.
        post(token, 'application/jwt', at % 2 ? address : undefined),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([202]));
    const after = await waitUntil(async () => {
      const found = await planned(id);
      return found.polls > before.polls && found.inSeconds > 3_600 ? found : null;
    });
    expect(after.hintedAt).not.toBe(before.hintedAt);
    expect(after.polls - before.polls).toBeLessThanOrEqual(3);
    expect(await journey.eventsOf(id)).toEqual(events);
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
  });

  test.each(shown)('%s: a payment is polled as soon as it changes', async (bankId) => {
    const id = idAt(bankId);
    const { inSeconds, consent } = await stepsOf(bankId).planned(id);
    expect(inSeconds).toBeGreaterThan(3_600);
    // At the bank alone time goes on: no poll of ours is due.
    await journey.control.advance([consent], 2 * day);
    await journey.becomes(id, 'EXPIRED RJCT');
  });

  test.each(shown)('%s: a held payment is completed before its planned poll', async (bankId) => {
    const id = held.get(bankId) ?? '';
    const { inSeconds, consent } = await stepsOf(bankId).planned(id);
    expect(inSeconds).toBeGreaterThan(300);
    await journey.control.advance([consent], 2 * day);
    await journey.becomes(id, 'COMPLETED ACSC');
  });

  test.each(shown)('%s: reading ends when its customer ends the access there', async (bankId) => {
    const { sandbox, control } = journey;
    const initiated = await sandbox.request('POST', '/api/bank/auth/initiate', {
      body: { redirectUrl: 'https://shop.example/linked' },
    });
    const { accountAuthId } = initiated.body;
    const path = `/api/sandbox/bank/auth/${accountAuthId}/link`;
    const body = { institutionId: bankId, outcome: 'SUCCESS' };
    expect(await sandbox.request('POST', path, { body })).toMatchObject({ status: 200 });
    await waitUntil(async () => {
      const { status } = await sandbox.request('GET', `/api/bank/${accountAuthId}/accounts`);
      return status === 200;
    });
    await control.revokeAccess([await stepsOf(bankId).consentOf(accountAuthId)]);
    await waitUntil(async () => {
      const { body: link } = await sandbox.request('GET', `/api/bank/auth/${accountAuthId}`);
      return link.status === 'REVOKED';
    });
  });

  test.each(bankIds)('%s: the subscription stays, and follows our address', async (bankId) => {
    const { events } = journey.sandbox.rails.bankRails.need('SANDBOX');
    const base = `${journey.sandbox.url}/api/rails/bank-events/sandbox`;
    const subscribe = async (url: string) => (await events?.subscribe(bankId, url))?.kind;
    expect(await subscribe(base)).toBe('UNCHANGED');
    expect(await subscribe('https://moved.example')).toBe('CHANGED');
    expect(await subscribe('https://moved.example')).toBe('UNCHANGED');
    expect(await subscribe(base)).toBe('CHANGED');
  });

  test('the books of both sides agree and every invariant holds', () => journey.allAgree());

  test('every message to the banks is one that the standard describes', () => {
    const { faults, operations } = messages.stop();
    expect(faults).toEqual([]);
    for (const version of ['3.1.11', '4.0.1'])
      for (const method of ['GET /event-subscriptions', 'POST /event-subscriptions'])
        expect(operations).toContain(`${version} ${method}`);
    const changed = operations.filter((each) => each.includes('PUT /event-subscriptions/'));
    expect(changed).toHaveLength(2);
  });
});
