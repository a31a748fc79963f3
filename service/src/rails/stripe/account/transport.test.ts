import { describe, expect, it } from 'vitest';
import { charged, intent, refused } from '../test/bodies.ts';
import { chargeOrder, paidState, useScriptedRail } from '../test/scripted-rail.ts';
import { answerBytesMax } from './settings.ts';

const world = useScriptedRail();
const read = 'GET payment_intents/:id';
// Passes the Luhn check, as a processor's text might quote it.
const number = '4242424242424242';

describe('a call to the processor', () => {
  it('ends when an answer is too large', async () => {
    world.processor.script(read, { text: `{"x":"${'x'.repeat(answerBytesMax)}"}` });
    expect((await world.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
  });

  it('ends in time', async () => {
    world.processor.script(read, { hang: true });
    const startedAt = performance.now();
    expect((await world.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('is logged with what support needs, and no text of the processor', async () => {
    world.lines.length = 0;
    const quoting = refused(402, number);
    const error = { ...quoting.body.error, message: `card ${number}`, decline_code: number };
    world.processor.script('POST payment_intents', { status: 402, body: { error } });
    const outcome = await world.rail.charge(world.rail.prepareCharge(chargeOrder));
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'UNREADABLE' } });
    world.processor.script(read, {
      status: 500,
      body: { error: { type: 'api_error', message: number } },
    });
    await world.rail.readPayment(paidState());
    world.processor.script(read, { body: intent('succeeded', { latest_charge: charged() }) });
    await world.rail.readPayment(paidState());
    expect(world.lines).toMatchObject([
      {
        operation: 'charge',
        subject: 'attempt-1',
        status: 402,
        processorRequestId: 'req_scripted',
      },
      { operation: 'read payment', status: 500, why: 'status 500' },
      { operation: 'read payment', status: 200, message: 'card processor answered' },
    ]);
    const everything = JSON.stringify([world.lines, outcome], (_, value) => String(value));
    expect(everything + JSON.stringify(world.lines)).not.toContain(number);
    expect(JSON.stringify(world.lines)).not.toContain('sk_test');
  });

  it('prints no notice of the processor as a warning of ours', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => void warnings.push(warning);
    process.on('warning', keep);
    world.processor.script(read, {
      body: intent('succeeded', { latest_charge: charged() }),
      headers: { 'stripe-notice': 'please upgrade' },
    });
    expect((await world.rail.readPayment(paidState())).kind).toBe('COMPLETED');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });
});
