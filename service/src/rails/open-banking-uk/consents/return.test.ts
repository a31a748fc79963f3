import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newOrder, newRsaPair } from '../test/new-test-client.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { verified } from '../test/verified.ts';

// Any browser can call the return address with anything.
const scripted = useScriptedRail();

test.each([
  ['access_denied', true],
  ['temporarily_unavailable', false],
  ['server_error', false],
  ['login_required', false],
])('a signed %s is a decline', async (error, byPayer) => {
  const { bank, rail, create } = scripted();
  const order = newOrder();
  const { state } = await create(order);
  const response = await bank.signJwt({ state: order.oauthState, error });
  expect(await rail.readReturn(state, { response })).toMatchObject({
    kind: 'DECLINED',
    byPayer,
    code: error,
  });
});

test('any other return is invalid and changes nothing', async () => {
  const { bank, rail, create } = scripted();
  const order = newOrder();
  const { state } = await create(order);
  const good = { state: order.oauthState, code: 'code-1' };
  const stranger = (await newRsaPair()).privateKey;
  const signed = await bank.signJwt(good);
  const [head, , signature] = signed.split('.');
  const payload = Buffer.from(JSON.stringify({ ...good, code: 'other' })).toString('base64url');
  const responses = [
    `${head}.${payload}.${signature}`,
    `${head}.${signed.split('.')[1]}.`,
    await bank.signJwt(good, stranger),
    await bank.signJwt({ ...good, state: 'of another payment' }),
    await bank.signJwt({ ...good, aud: 'another client' }),
    await bank.signJwt({ ...good, iss: 'https://another.bank' }),
    await bank.signJwt({ ...good, exp: 1_000_000 }),
    await bank.signJwt({ ...good, exp: undefined }),
    await bank.signJwt({ state: order.oauthState }),
    await bank.signJwt({ ...good, state: undefined }),
    'x'.repeat(2_000_000),
  ];
  for (const response of responses)
    expect(await rail.readReturn(state, { response })).toMatchObject({ kind: 'INVALID' });
  expect(await rail.readReturn(state, { ...good })).toMatchObject({ kind: 'INVALID' });
  const { state: spent } = verified(await rail.exchange(state, 'code-1'), 'EXCHANGED');
  expect(await rail.readReturn(spent, { response: signed })).toMatchObject({ kind: 'INVALID' });
});

test('no parameters make the return throw', async () => {
  const { rail, create } = scripted();
  const { state } = await create();
  const text = fc.string({ unit: 'binary' });
  const jwtLike = fc
    .tuple(text, text, text)
    .map((parts) => parts.map((part) => Buffer.from(part).toString('base64url')).join('.'));
  const header = fc
    .jsonValue()
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
  const response = fc.oneof(
    text,
    jwtLike,
    header.map((first) => `${first}.e30.AAAA`),
  );
  const parameters = fc.oneof(
    fc.dictionary(
      fc.oneof(text, fc.constantFrom('response', '__proto__', 'code', 'state')),
      response,
    ),
    response.map((value) => ({ response: value })),
    fc.anything().map((value) => ({ response: value }) as never),
  );
  await fc.assert(
    fc.asyncProperty(parameters, async (given) => {
      expect(await rail.readReturn(state, given)).toMatchObject({ kind: 'INVALID' });
    }),
    { numRuns: 300 },
  );
});

test('unreachable keys decide nothing about a return', async () => {
  const { bank, another, create } = scripted();
  const order = newOrder();
  const { state } = await create(order);
  const response = await bank.signJwt({ state: order.oauthState, code: 'code-1' });
  const fresh = another();
  bank.script('GET jwks', { status: 503 });
  expect(await fresh.readReturn(state, { response })).toMatchObject({ kind: 'UNKNOWN' });
  expect(await fresh.readReturn(state, { response })).toMatchObject({ kind: 'AUTHORISED' });
});

test('no state makes a step throw', async () => {
  const { rail } = scripted();
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ v: 1, value })),
  );
  await fc.assert(
    fc.asyncProperty(text, async (state) => {
      expect((await rail.readReturn(state, {})).kind).toBe('UNKNOWN');
      expect((await rail.exchange(state, 'x')).kind).toBe('UNKNOWN');
      expect((await rail.submit(state)).kind).toBe('UNKNOWN');
      expect((await rail.resolveSubmission(state)).kind).toBe('UNKNOWN');
      expect((await rail.readPayment(state)).kind).toBe('UNKNOWN');
    }),
  );
});
