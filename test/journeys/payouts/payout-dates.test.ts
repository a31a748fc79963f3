import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const dayMs = 24 * 60 * 60_000;

const asOwner = async (below: string) => {
  const { tools, merchant, url } = journey.sandbox;
  const { headers } = await signIn(tools, { merchantId: merchant.merchantId, origin: url });
  const path = `/dashboard/api/merchants/${merchant.merchantId}/sandbox/${below}`;
  return (await journey.sandbox.request('GET', path, { secret: null, headers })).body;
};

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });

const payoutIn = (status: string, amount: string) =>
  waitUntil(
    async () => {
      const [payout] = (await request('GET', '/api/payouts')).body.data;
      if (payout?.status !== status || payout.amount !== amount)
        throw new Error(JSON.stringify(payout));
      return payout;
    },
    { withinMs: 30_000 },
  );

test('every page dates a payout, its lines and a refund by the same entries of the books', async () => {
  const id = await journey.create({ enableTips: false, amount: 20 });
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  await request('POST', '/api/refund', { paymentRequestId: id, amount: 2.5 });
  const open = await payoutIn('PENDING', '17.50');
  const lines = (await request('GET', `/api/payouts/${open.id}/transactions`)).body.data;
  const finals = lines.map(
    (line: { transactionFinalizedAt: string }) => line.transactionFinalizedAt,
  );
  // By its lines, not by its period: a payout that is held up goes on collecting.
  expect(await asOwner(`payouts/${open.id}/stores`)).toMatchObject({
    ...{ firstAt: finals.toSorted()[0], lastAt: finals.toSorted().at(-1) },
  });
  const [refunded] = (await asOwner('money/rows?figure=REFUNDED')).data;
  // The list of refunds names the day on which the books count it, beside that of the wish.
  expect((await asOwner('refunds')).data[0].bookedAt).toBe(refunded.occurredAt);
  await journey.advance(5 * dayMs);
  const { settledAt } = await payoutIn('SETTLED', '17.50');
  expect((await request('GET', '/api/payouts/matches')).body.data[0].settledAt).toBe(settledAt);
  expect((await asOwner(`payments/${id}/money`)).payouts[0].settledAt).toBe(settledAt);
  const rows = (await asOwner('money/rows?figure=PAID_OUT')).data;
  expect(rows).toMatchObject([
    { resource: 'PAYOUT', resourceId: open.id, amount: 17.5, payoutReference: open.reference },
  ]);
  expect(rows[0].occurredAt).toBe(settledAt);
});
