import fc from 'fast-check';
import type { CryptoKey } from 'jose';
import { FlattenedSign } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { newRsaPair } from '../test/new-test-client.ts';
import type { DetachedCheck } from './detached-jws.ts';
import { encodedPayload, findSignatureFault, rawPayload, signDetached } from './detached-jws.ts';

const now = new Date('2026-11-01T10:00:00Z');
const identity = { keyId: 'k', issuer: 'org/software', trustAnchor: 'trust' };
let pair: Awaited<ReturnType<typeof newRsaPair>>;
let check: DetachedCheck;

beforeAll(async () => {
  pair = await newRsaPair();
  check = {
    keys: async () => pair.publicKey as CryptoKey,
    issuer: 'org/software',
    trustAnchor: 'trust',
    now,
    clockToleranceSeconds: 30,
  };
});

const sign = (body: string) => signDetached(body, pair.privateKey, identity, now);
const fault = (signature: string, body: string, change: Partial<DetachedCheck> = {}) =>
  findSignatureFault(signature, Buffer.from(body), { ...check, ...change }).catch(
    () => 'signature',
  );

test('the header holds exactly what the standard allows', async () => {
  const [header, payload] = (await sign('{}')).split('.');
  expect(payload).toBe('');
  expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toEqual({
    alg: 'PS256',
    kid: 'k',
    typ: 'JOSE',
    cty: 'application/json',
    'http://openbanking.org.uk/iat': now.getTime() / 1000,
    'http://openbanking.org.uk/iss': 'org/software',
    'http://openbanking.org.uk/tan': 'trust',
    crit: [
      'http://openbanking.org.uk/iat',
      'http://openbanking.org.uk/iss',
      'http://openbanking.org.uk/tan',
    ],
  });
});

test('a signature is valid for its own bytes only', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (body, other) => {
      const signature = await sign(body);
      expect(await fault(signature, body)).toBeNull();
      if (other !== body) expect(await fault(signature, other)).not.toBeNull();
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['another issuer', { issuer: 'someone' }, 'iss'],
  ['another trust anchor', { trustAnchor: 'other' }, 'tan'],
  ['a time to come', { now: new Date(now.getTime() - 60_000) }, 'iat'],
])('a signature with %s is rejected', async (_what, change, expected) => {
  expect(await fault(await sign('{}'), '{}', change)).toBe(expected);
});

test('an unknown header member is rejected', async () => {
  const header = JSON.parse(
    Buffer.from((await sign('{}')).split('.')[0] ?? '', 'base64url').toString(),
  );
  const signed = await new FlattenedSign(Buffer.from('{}'))
    .setProtectedHeader({ ...header, x: 1 })
    .sign(pair.privateKey, { crit: Object.fromEntries(header.crit.map((n: string) => [n, true])) });
  expect(await fault(`${signed.protected}..${signed.signature}`, '{}')).toBe('unknown member');
});

test('no text crashes or passes the check', async () => {
  const good = await sign('{}');
  const mangled = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('A', '.', 'é'))
    .map(([at, c]) => (good[at] === c ? '' : `${good.slice(0, at)}${c}${good.slice(at + 1)}`));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), mangled), async (text) => {
      expect(await fault(text, '{}x')).not.toBeNull();
    }),
  );
});

test('the older form is valid where it is expected, and nowhere else', async () => {
  const body = '{"a":"ü"}';
  const raw = await signDetached(body, pair.privateKey, identity, now, rawPayload);
  const [header] = raw.split('.');
  expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toMatchObject({
    b64: false,
    crit: expect.arrayContaining(['b64']),
  });
  expect(await fault(raw, body, { form: rawPayload })).toBeNull();
  expect(await fault(raw, `${body} `, { form: rawPayload })).toBe('signature');
  expect(await fault(raw, body, { form: encodedPayload })).toBe('unknown member');
  expect(await fault(await sign(body), body, { form: rawPayload })).toBe('b64');
});
