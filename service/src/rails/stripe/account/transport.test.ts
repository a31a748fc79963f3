import { describe, expect, it } from 'vitest';
import { answerBytesMax } from '#rails/http-limits.ts';
import { charged, intent, refused } from '../fixtures/bodies.ts';
import { chargeOrder, paidState, useScriptedRail } from '../test/scripted-rail.ts';

const scripted = useScriptedRail();
const read = 'GET payment_intents/:id';
// Passes the Luhn check, as a processor's text might quote it.
const number = '4242424242424242';

describe('a call to the processor', () => {
  it('ends when an answer is too large', async () => {
    scripted.processor.script(read, { text: `{"x":"${'x'.repeat(answerBytesMax)}"}` });
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
  });

  it('ends in time', async () => {
    scripted.processor.script(read, { hang: true });
    const startedAt = performance.now();
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('UNKNOWN');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('is logged with what support needs, without text of the processor', async () => {
    scripted.lines.length = 0;
    const quoting = refused(402, number);
    const error = { ...quoting.body.error, message: `card ${number}`, decline_code: number };
    scripted.processor.script('POST payment_intents', { status: 402, body: { error } });
    const outcome = await scripted.rail.charge(scripted.rail.prepareCharge(chargeOrder));
    expect(outcome).toMatchObject({ kind: 'FAILED', decline: { code: 'UNREADABLE' } });
    scripted.processor.script(read, {
      status: 500,
      body: { error: { type: 'api_error', message: number } },
    });
    await scripted.rail.readPayment(paidState());
    scripted.processor.script(read, { body: intent('succeeded', { latest_charge: charged() }) });
    await scripted.rail.readPayment(paidState());
    expect(scripted.lines).toMatchObject([
      {
        operation: 'charge',
        subject: 'attempt-1',
        status: 402,
        processorRequestId: 'req_scripted',
      },
      { operation: 'read payment', status: 500, why: 'status 500' },
      { operation: 'read payment', status: 200, message: 'card processor answered' },
    ]);
    const everything = JSON.stringify([scripted.lines, outcome], (_, value) => String(value));
    expect(everything + JSON.stringify(scripted.lines)).not.toContain(number);
    expect(JSON.stringify(scripted.lines)).not.toContain('sk_test');
  });

  it('prints no notice of the processor as our warning', async () => {
    const warnings: Error[] = [];
    const record = (warning: Error) => void warnings.push(warning);
    process.on('warning', record);
    scripted.processor.script(read, {
      body: intent('succeeded', { latest_charge: charged() }),
      headers: { 'stripe-notice': 'please upgrade' },
    });
    expect((await scripted.rail.readPayment(paidState())).kind).toBe('COMPLETED');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', record);
    expect(warnings).toEqual([]);
  });
});
