import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const timeout = 180_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
  await journey.sandbox.tools.database.system<{ id: string }, never>(
    {
      name: 'test_large_limit',
      text: 'update merchant set payment_limit_pence = 100000000 where merchant_id = $1::uuid',
      valueNames: ['id'],
    },
    { id: journey.sandbox.tenant.merchantId },
  );
}, 120_000);
afterAll(() => journey.close());

const paid = async (amount: number): Promise<void> => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED ACSC');
};

const payoutWith = (status: string, amount: string): Promise<{ readonly id: string }> =>
  waitUntil(async () => {
    const { data } = (await journey.sandbox.request('GET', '/api/payouts?limit=100')).body;
    const found = data.find(
      (each: { status: string; amount: string }) =>
        each.status === status && each.amount === amount,
    );
    if (found) return found;
    throw new Error(JSON.stringify(data));
  }, patience);

describe('a payout above £1,000,000', { timeout }, () => {
  test('is paid, and a part that the bank rejects is a line of the next', async () => {
    await paid(600_000);
    // The simulated hub rejects £9,990.02 (AC01): what is left above the limit.
    await paid(409_990.02);
    await payoutWith('PENDING', '1009990.02');
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '1009990.02');
    const next = await payoutWith('PENDING', '9990.02');
    const lines = await journey.sandbox.request('GET', `/api/payouts/${next.id}/transactions`);
    expect(lines.body.data).toMatchObject([{ amount: '9990.02', lineType: 'PAYOUT_RETURNED' }]);
    await paid(700_000);
    await paid(700_000);
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '1409990.02');
    await journey.allAgree();
  });
});
