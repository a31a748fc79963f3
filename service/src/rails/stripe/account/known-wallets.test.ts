import { expect, it } from 'vitest';
import type { ScriptedAnswer } from '../test/scripted-processor.ts';
import { useScriptedRail } from '../test/scripted-rail.ts';
import { walletsLifeMs, walletsReadAgainMs } from './settings.ts';

const scripted = useScriptedRail();
const read = 'GET payment_method_configurations';
const minuteMs = 60_000;
// Each case begins long after what the last one knew.
let startMs = Date.parse('2026-01-05T09:00:00Z');

const on = { available: true };
const off = { available: false };
const both = { apple_pay: on, google_pay: on };
const configuration = (change: object = {}) => ({
  id: 'pmc_1',
  object: 'payment_method_configuration',
  active: true,
  is_default: true,
  application: null,
  livemode: false,
  ...change,
});
const listOf = (...data: readonly object[]) => ({ body: { object: 'list', data } });

const wallets = () => scripted.rail.accepts?.().wallets;
const answeredCalls = () =>
  scripted.lines.filter((line) => (line as { operation?: string }).operation === 'read wallets');

/** What the next payers see after the processor has answered. */
const walletsAfter = async (answer: ScriptedAnswer, afterMs: number) => {
  scripted.now = startMs + afterMs;
  scripted.processor.script(read, answer);
  const before = answeredCalls().length;
  const atOnce = wallets();
  await expect.poll(() => answeredCalls().length).toBe(before + 1);
  return { atOnce, later: wallets() };
};

it.each([
  ['both', [configuration(both)], ['Apple Pay', 'Google Pay']],
  ['one', [configuration({ apple_pay: on, google_pay: off })], ['Apple Pay']],
  ['the simulated one', [configuration({ apple_pay: off, test_wallet: on })], ['Test wallet']],
  ['none that is not named', [configuration()], []],
  ['none of another configuration', [configuration({ ...both, is_default: false })], []],
  ['none of a platform', [configuration({ ...both, application: 'ca_1' })], []],
  ['none of the other environment', [configuration({ ...both, livemode: true })], []],
  ['none of one put away', [configuration({ ...both, active: false })], []],
  ['none without a configuration', [], []],
])('the page names %s', async (_, configurations, named) => {
  startMs += 2 * walletsLifeMs;
  const { atOnce, later } = await walletsAfter(listOf(...configurations), 0);
  expect([atOnce, later]).toEqual([[], named]);
});

it('the page names what a statement says, and keeps it where it cannot be read again', async () => {
  startMs += 2 * walletsLifeMs;
  const named = () => scripted.rail.accepts?.().statementName;
  const payments = { statement_descriptor: 'CORNER COFFEE' };
  scripted.processor.script('GET account', { body: { id: 'acct_1', settings: { payments } } });
  await walletsAfter(listOf(configuration(both)), 0);
  expect(named()).toBe('CORNER COFFEE');
  scripted.processor.script('GET account', { status: 403, body: { error: { type: 'api_error' } } });
  await walletsAfter(listOf(configuration(both)), walletsReadAgainMs);
  expect(named()).toBe('CORNER COFFEE');
  scripted.now = startMs + 2 * walletsLifeMs;
  expect(named()).toBeNull();
});

it('asks again after ten minutes only, and forgets after an hour without an answer', async () => {
  startMs += 2 * walletsLifeMs;
  const sent = () => scripted.processor.sentTo(read).length;
  expect((await walletsAfter(listOf(configuration(both)), 0)).later).toHaveLength(2);
  scripted.now = startMs + walletsReadAgainMs - 1;
  expect([wallets(), sent()]).toEqual([['Apple Pay', 'Google Pay'], 1]);
  scripted.processor.requests.length = 0;
  const refused = { status: 403, body: { error: { type: 'invalid_request_error' } } };
  const afterRefusal = await walletsAfter(refused, walletsReadAgainMs);
  expect(afterRefusal.later).toHaveLength(2);
  scripted.processor.requests.length = 0;
  const afterSilence = await walletsAfter({ hangUp: true }, walletsLifeMs - minuteMs);
  expect([afterSilence.atOnce, afterSilence.later]).toEqual([
    ['Apple Pay', 'Google Pay'],
    ['Apple Pay', 'Google Pay'],
  ]);
  scripted.now = startMs + walletsLifeMs;
  expect(wallets()).toEqual([]);
});
