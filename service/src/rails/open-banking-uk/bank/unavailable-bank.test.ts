import { expect, test } from 'vitest';
import { newOrder } from '../test/new-test-client.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';

const scripted = useScriptedRail();

const outage = Array.from({ length: 8 }, () => ({ status: 503 }));

test('a bank that fails five times is not offered, and is tried again later', async () => {
  const { bank, another } = scripted();
  let passedMs = 0;
  const rail = another({}, () => passedMs, { hidesUnavailableBanks: true });
  const start = () => rail.createConsent(newOrder());
  bank.script('POST domestic-payment-consents', ...outage.slice(0, 5));
  for (let call = 0; call < 5; call += 1) {
    expect(await start()).toMatchObject({ kind: 'UNKNOWN' });
    passedMs += 2_000;
  }
  expect(rail.institutions()).toMatchObject([{ isEnabled: false }]);
  expect(rail.health()).toMatchObject([{ isEnabled: true, state: 'UNAVAILABLE', calls: 5 }]);
  const requestsBefore = bank.requests.length;
  expect(await start()).toMatchObject({ kind: 'REFUSED', code: 'BANK_UNAVAILABLE' });
  expect(bank.requests).toHaveLength(requestsBefore);
  passedMs += 30_000;
  expect(rail.institutions()).toMatchObject([{ isEnabled: true }]);
  expect(await start()).toMatchObject({ kind: 'CREATED' });
});

test('a bank that is not offered still ends the payments that it started', async () => {
  const { bank, another } = scripted();
  let passedMs = 0;
  const rail = another({}, () => passedMs, { hidesUnavailableBanks: true });
  const started = await rail.createConsent(newOrder());
  if (started.kind !== 'CREATED') throw new Error(started.kind);
  bank.script('POST domestic-payment-consents', ...outage.slice(0, 5));
  for (let call = 0; call < 5; call += 1) {
    await rail.createConsent(newOrder());
    passedMs += 2_000;
  }
  expect(rail.health()).toMatchObject([{ state: 'UNAVAILABLE' }]);
  expect(await rail.exchange(started.state, 'code-1')).toMatchObject({ kind: 'EXCHANGED' });
});

test('without the setting, as in the sandbox, every bank stays offered', async () => {
  const { bank, another } = scripted();
  let passedMs = 0;
  const rail = another({}, () => passedMs);
  bank.script('POST domestic-payment-consents', ...outage);
  for (let call = 0; call < 6; call += 1) {
    await rail.createConsent(newOrder());
    passedMs += 2_000;
  }
  expect(rail.institutions()).toMatchObject([{ isEnabled: true }]);
  expect(rail.health()).toMatchObject([{ state: 'UNAVAILABLE', failedCalls: 6 }]);
});
