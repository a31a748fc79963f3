import { beforeAll, expect, test } from 'vitest';
import type { BankProfile } from '../settings/bank-profile.ts';
import type { OpenBankingClient } from '../settings/settings.ts';
import { newTestClient, testTools } from '../test/new-test-client.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { diagnoseBanks } from './diagnose-banks.ts';

const scripted = useScriptedRail();
let client: OpenBankingClient;
beforeAll(async () => {
  client = await newTestClient();
});

const faultsOf = async (change: Partial<BankProfile> = {}, offsetMs = 0) => {
  const tools = testTools();
  const clock = { ...tools.clock, now: () => new Date(Date.now() + offsetMs) };
  const profile = { ...scripted().bank.profile, ...change };
  const findings = await diagnoseBanks({ client, banks: [profile] }, { ...tools, clock });
  return findings
    .filter(({ subject, level }) => subject !== 'client' && level !== 'OK')
    .map(({ check, level, fix }) => `${level} ${check}: ${fix ?? ''}`);
};

test('a bank that works has no fault', async () => {
  expect(await faultsOf()).toEqual([]);
});

test('a disabled bank is not called', async () => {
  expect(await faultsOf({ isEnabled: false })).toEqual([]);
  expect(scripted().bank.requests).toEqual([]);
});

test.each([
  [60_000, 'FAULT clock: Synchronise'],
  [-60_000, 'FAULT clock: Synchronise'],
  [15_000, 'WARNING clock: Synchronise'],
])('a clock that is off by %i ms is found', async (offsetMs, text) => {
  expect((await faultsOf({}, offsetMs))[0]).toContain(text);
});

test('another issuer, a missing page and an address where nothing answers are found', async () => {
  expect(await faultsOf({ issuer: 'http://127.0.0.1:9/other' })).toEqual([
    expect.stringContaining('FAULT issuer: Set issuer to what the bank names'),
    expect.stringContaining('FAULT access: '),
  ]);
  scripted().bank.script('GET configuration', { status: 404, body: {} });
  expect(await faultsOf()).toEqual([expect.stringContaining('FAULT discovery: Compare wellKnown')]);
  expect(await faultsOf({ wellKnown: 'http://127.0.0.1:9/x' })).toEqual([
    expect.stringContaining('FAULT discovery: Nothing answers'),
  ]);
});

test('a client that the bank refuses, and keys that cannot sign, are found', async () => {
  const { bank } = scripted();
  bank.script('POST token', { status: 401, body: { error: 'invalid_client' } });
  expect(await faultsOf()).toEqual([
    expect.stringContaining('FAULT access: Compare clientId, tokenAuth, signingKeyId'),
  ]);
  bank.script('GET jwks', { body: { keys: [] } });
  expect(await faultsOf()).toEqual([expect.stringContaining('FAULT keys: Compare jwksUri')]);
});

test('a wrong setting is named, and no bank is called', async () => {
  const { profile } = scripted().bank;
  const wrong = { ...profile, tokenScope: 'accounts' };
  expect(await diagnoseBanks({ client, banks: [wrong] }, testTools())).toMatchObject([
    { subject: 'settings', level: 'FAULT' },
  ]);
  expect(scripted().bank.requests).toEqual([]);
});
