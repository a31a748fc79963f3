import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../../contract/index.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const day = 86_400_000;

test('a payment is made, paid and shown at the far end of the clock; nothing goes beyond', async () => {
  const { sandbox } = journey;
  const { merchantId } = sandbox.merchant;
  await sandbox.tools.database.system(
    {
      name: 'test_far_clock',
      text: `update tenant_clock set offset_ms = $2
        where merchant_id = $1 and environment = 'SANDBOX'`,
      valueNames: ['merchantId', 'offsetMs'],
    },
    { merchantId, offsetMs: limits.clockAheadMsMax - 400 * day },
  );
  await journey.advance(400 * day);
  const id = await journey.create({ expiresIn: 400 * day });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED ACSC');
  const found = await sandbox.request('POST', '/api/payments/transactions', { body: {} });
  expect([found.status, found.body.data[0].paymentRequestId]).toEqual([200, id]);
  for (const advanceMs of [1, day, 400 * day]) {
    const { status, body } = await sandbox.request('POST', '/api/sandbox/clock', {
      body: { advanceMs },
    });
    expect([status, body.errors[0].field]).toEqual([400, 'advanceMs']);
  }
});
