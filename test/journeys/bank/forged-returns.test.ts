import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import type { ReturnParameters } from '../../harness/open-payer.ts';

let journey: Journey;
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

describe('forged returns', { timeout: 60_000 }, () => {
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
