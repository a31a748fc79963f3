import { generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();
const hour = 3_600;
const seconds = () => Math.floor(Date.now() / 1000);
const bankId = 'scripted';

const eventAbout = (rty: unknown, rid: unknown, type = 'resource-update') => ({
  [`urn:uk:org:openbanking:events:${type}`]: {
    subject: { 'http://openbanking.org.uk/rty': rty, 'http://openbanking.org.uk/rid': rid },
  },
});
const payment = { events: eventAbout('domestic-payment', 'dp-1') };

const read = async (token: string) => {
  const { bank, another } = scripted();
  const rail = another({ eventsUrl: bank.profile.issuer });
  return rail.events?.readNotification(bankId, token);
};

test.each([
  ['a payment', payment, { kind: 'PAYMENT', reference: 'dp-1' }],
  [
    'a payment, in the plural',
    { events: eventAbout('domestic-payments', 'dp-1') },
    { kind: 'PAYMENT', reference: 'dp-1' },
  ],
  [
    'a consent that was revoked',
    { events: eventAbout('account-access-consent', 'aac-1', 'consent-authorization-revoked') },
    { kind: 'ACCOUNT_CONSENT', reference: 'aac-1' },
  ],
  ['a resource that is never read', { events: eventAbout('statement', 's-1') }, { kind: 'UNUSED' }],
  ['no event', { events: {} }, { kind: 'UNUSED' }],
  ['an id of another type', { events: eventAbout('domestic-payment', 7) }, { kind: 'UNUSED' }],
  ['a type of another type', { events: eventAbout(['x'], 'dp-1') }, { kind: 'UNUSED' }],
  ['a subject that is none', { events: { x: { subject: 'dp-1' }, y: null } }, { kind: 'UNUSED' }],
  [
    'a very long id',
    { events: eventAbout('domestic-payment', 'd'.repeat(129)) },
    { kind: 'UNUSED' },
  ],
  [
    'an audience among others',
    { ...payment, aud: ['x', 'florin-test'] as string[] },
    { kind: 'PAYMENT' },
  ],
  ['a clock a little ahead', { ...payment, iat: seconds() + 20 }, { kind: 'PAYMENT' }],
  ['a bank that tried for a day', { ...payment, iat: seconds() - 23 * hour }, { kind: 'PAYMENT' }],
  ['no events', {}, { kind: 'INVALID' }],
  ['events that are none', { events: 'x' }, { kind: 'INVALID' }],
  ['another bank', { ...payment, iss: 'https://another.example' }, { kind: 'INVALID' }],
  ['another client', { ...payment, aud: 'another' }, { kind: 'INVALID' }],
  ['no client', { ...payment, aud: undefined }, { kind: 'INVALID' }],
  ['long ago', { ...payment, iat: seconds() - 25 * hour }, { kind: 'INVALID' }],
  ['the future', { ...payment, iat: seconds() + 120 }, { kind: 'INVALID' }],
  ['no time', { ...payment, iat: undefined }, { kind: 'INVALID' }],
  ['a time that is none', { ...payment, iat: 'now' as never }, { kind: 'INVALID' }],
] as const)('a token with %s', async (_, claims, outcome) => {
  const { bank } = scripted();
  const token = await bank.signJwt({ exp: undefined, ...claims });
  expect(await read(token)).toMatchObject(outcome);
});

test('only a key of this bank and the one algorithm count', async () => {
  const { bank } = scripted();
  const { privateKey: strange } = await generateKeyPair('PS256');
  const signed = (header: JWTHeaderParameters, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ iss: bank.profile.issuer, aud: 'florin-test', iat: seconds(), ...payment })
      .setProtectedHeader(header)
      .sign(key);
  const good = await bank.signJwt({ exp: undefined, ...payment });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    await bank.signJwt(payment, strange),
    await signed({ alg: 'PS256', kid: 'another-key' }, strange),
    await signed({ alg: 'HS256', kid: 'bank-key' }, new TextEncoder().encode('x'.repeat(32))),
    `${part({ alg: 'none' })}.${good.split('.')[1]}.`,
    `${good.slice(0, -8)}AAAAAAAA`,
    good.split('.').slice(0, 2).join('.'),
    'garbage',
    '',
  ];
  for (const token of forged) expect(await read(token)).toMatchObject({ kind: 'INVALID' });
  expect(await read(good)).toEqual({ kind: 'PAYMENT', reference: 'dp-1' });
});

test('while the keys of the bank cannot be read, nothing is decided', async () => {
  const { bank } = scripted();
  const token = await bank.signJwt({ exp: undefined, ...payment });
  bank.script('GET jwks', { status: 503, body: {} });
  expect(await read(token)).toMatchObject({ kind: 'UNKNOWN' });
});

test('a bank that sends none, is disabled or unknown is not listened to', async () => {
  const { bank, rail, another } = scripted();
  const token = await bank.signJwt({ exp: undefined, ...payment });
  expect(rail.events?.institutionIds()).toEqual([]);
  const disabled = another({ eventsUrl: bank.profile.issuer, isEnabled: false });
  expect(disabled.events?.institutionIds()).toEqual([]);
  for (const silent of [rail, disabled])
    expect(await silent.events?.readNotification(bankId, token)).toMatchObject({ kind: 'INVALID' });
});
