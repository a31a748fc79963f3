import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eraseOldData } from '../../../service/src/modules/erasure/jobs.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

vi.setConfig({ testTimeout: 120_000 });

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const rows = <Row>(text: string, id: string) =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name: '', text, valueNames: ['id'] },
    { id },
  );

const erase = (personalDataDays: number | null) => {
  const { tools } = journey.sandbox;
  return eraseOldData({ ...tools, config: { ...tools.config, personalDataDays } });
};

test('a refund after the erasure of its payment loses notes and account when it has ended', async () => {
  const { request } = journey.sandbox;
  const id = await journey.create({ enableTips: false });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  await rows(
    `update payment_request set created_at = created_at - interval '31 days'
     where payment_request_id = $1::uuid`,
    id,
  );
  const isErased = async () => {
    await erase(30);
    const [row] = await rows<{ is_erased: boolean }>(
      `select personal_data_erased_at is not null as is_erased from payment_request
       where payment_request_id = $1::uuid`,
      id,
    );
    return row?.is_erased;
  };
  await journey.advance(10 * 86_400_000);
  await waitUntil(isErased);
  const refunded = await request('POST', '/api/refund', {
    body: { paymentRequestId: id, amount: 2.5, refundNotes: 'for Mr Quibblewick' },
  });
  expect(refunded.status).toBe(200);
  // Its own money was paid out meanwhile.
  const later = await journey.create({ enableTips: false });
  await journey.payer.pay(later, 'approve');
  await journey.becomes(later, 'COMPLETED AC[SC]C');
  const [refund] = (await request('GET', `/api/refund/${id}`)).body;
  const account = { sortCode: '180002', accountNumber: '00000190', name: 'Quibblewick' };
  const path = `/api/sandbox/refunds/${refund.refundId}/account`;
  await waitUntil(async () => {
    const reply = await request('PUT', path, { body: { account } });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return true;
  });
  await waitUntil(async () => {
    const [now] = (await request('GET', `/api/refund/${id}`)).body;
    if (now.status !== 'COMPLETED') throw new Error(JSON.stringify(now));
    return true;
  });
  // Whether or not the operator has set an age: the payment was erased.
  await erase(null);
  const [left] = await rows(
    `select notes, account_encrypted from refund where payment_request_id = $1::uuid`,
    id,
  );
  expect(left).toEqual({ notes: null, account_encrypted: null });
  expect(await erase(null)).toBe(0);
});

test('a refund that waits while its payment is erased goes to the account that paid', async () => {
  const { request } = journey.sandbox;
  const pause = (transferHubPaused: boolean) =>
    request('POST', '/api/sandbox/switches', { body: { transferHubPaused } });
  const id = await journey.create({ enableTips: false });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  await pause(true);
  await request('POST', '/api/refund', { body: { paymentRequestId: id, amount: 2.5 } });
  await rows(
    `update payment_request set created_at = created_at - interval '99 days'
     where payment_request_id = $1::uuid`,
    id,
  );
  const payerOf = async () => {
    await erase(30);
    const [row] = await rows<{ is_known: boolean; is_erased: boolean }>(
      `select a.payer_encrypted is not null as is_known,
         r.personal_data_erased_at is not null as is_erased
       from attempt a join payment_request r on r.payment_request_id = a.payment_request_id
       where a.payment_request_id = $1::uuid`,
      id,
    );
    return row;
  };
  await journey.advance(10 * 86_400_000);
  expect(await payerOf()).toEqual({ is_known: true, is_erased: false });
  // Its own money may have been paid out meanwhile.
  const later = await journey.create({ enableTips: false });
  await journey.payer.pay(later, 'approve');
  await journey.becomes(later, 'COMPLETED AC[SC]C');
  await pause(false);
  await waitUntil(async () => {
    const [now] = (await request('GET', `/api/refund/${id}`)).body;
    if (now.status !== 'COMPLETED') throw new Error(JSON.stringify(now));
    return true;
  });
  await waitUntil(async () => (await payerOf())?.is_erased);
  expect(await payerOf()).toEqual({ is_known: false, is_erased: true });
});
