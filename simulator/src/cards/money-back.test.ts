import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import { errorOf, openShop, type Shop } from '../testing/card-shop.ts';

let simulator: TestSimulator;
let shop: Shop;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
  stripe = shop.stripe;
});
afterAll(() => simulator?.close());

const advance = (id: string) =>
  shop.control('POST', '/clock/advance', { paymentIntentIds: [id], milliseconds: 3_600_000 });

describe('disputes', () => {
  const dispute = async (card = 'createDispute'): Promise<Stripe.Dispute> => {
    const { id } = await shop.charge(card);
    const { data } = await stripe.disputes.list({ payment_intent: id });
    return data[0] as Stripe.Dispute;
  };

  test('are listed, of one payment and of all, the newest first', async () => {
    const [older, newer] = [await dispute(), await dispute()];
    const listed = await stripe.disputes.list({ limit: 1 });
    expect([listed.data[0]?.id, listed.has_more]).toEqual([newer.id, true]);
    const next = await stripe.disputes.list({ limit: 1, starting_after: newer.id });
    expect(next.data.map(({ id }) => id)).toEqual([older.id]);
    const back = await stripe.disputes.list({ ending_before: older.id });
    expect(back.data.map(({ id }) => id)).toEqual([newer.id]);
    const { data } = await stripe.disputes.list({ charge: older.charge as string });
    expect(data.map(({ id }) => id)).toEqual([older.id]);
    const gone = await errorOf(stripe.disputes.list({ starting_after: 'dp_none' }));
    expect(gone).toMatchObject({ statusCode: 400, code: 'resource_missing' });
  });

  test('are answered once, after evidence was collected', async () => {
    const { id, payment_intent: intent } = await dispute('createDisputeProductNotReceived');
    const kept = await stripe.disputes.update(id, {
      ...{ evidence: { customer_name: 'Ada' }, metadata: { clerk: '7' }, submit: false },
    });
    expect(kept).toMatchObject({
      ...{ status: 'needs_response', metadata: { clerk: '7' } },
      evidence: { customer_name: 'Ada', shipping_date: null },
      evidence_details: { has_evidence: true, submission_count: 0 },
    });
    const sent = await stripe.disputes.update(id, { evidence: { shipping_date: '2026-11-01' } });
    expect(sent).toMatchObject({
      status: 'under_review',
      evidence: { customer_name: 'Ada', shipping_date: '2026-11-01' },
      evidence_details: { submission_count: 1 },
    });
    const again = await errorOf(stripe.disputes.update(id, { evidence: { customer_name: 'B' } }));
    expect(again).toMatchObject({ statusCode: 400, param: 'evidence' });
    await advance(intent as string);
    expect((await stripe.disputes.retrieve(id)).status).toBe('won');
    expect((await errorOf(stripe.disputes.close(id))).message).toContain('already closed');
  });

  test.each([
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
    ['anything else', 'under_review'],
  ])('that are answered with %s are %s', async (uncategorized_text, status) => {
    const { id } = await dispute();
    const answered = await stripe.disputes.update(id, { evidence: { uncategorized_text } });
    expect(answered.status).toBe(status);
    const { data } = await stripe.events.list({ types: ['charge.dispute.closed'], limit: 1 });
    const closed = (data[0]?.data.object as Stripe.Dispute | undefined)?.id === id;
    expect(closed).toBe(status !== 'under_review');
  });

  test('are lost when the merchant closes them; an inquiry is over', async () => {
    expect((await stripe.disputes.close((await dispute()).id)).status).toBe('lost');
    const inquiry = await dispute('createDisputeInquiry');
    expect((await stripe.disputes.close(inquiry.id)).status).toBe('warning_closed');
  });

  const upload = (data: Buffer, idempotencyKey?: string) =>
    stripe.files.create(
      { purpose: 'dispute_evidence', file: { data, name: 'receipt.pdf', type: 'application/pdf' } },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );

  test('take files that were uploaded, and no unknown evidence', async () => {
    const { id } = await dispute();
    const file = await upload(Buffer.from('%PDF-1.7 paid'), 'file');
    expect(file).toMatchObject({
      ...{ object: 'file', type: 'pdf', filename: 'receipt.pdf', size: 13 },
      purpose: 'dispute_evidence',
    });
    expect((await upload(Buffer.from('%PDF-1.7 paid'), 'file')).id).toBe(file.id);
    const other = await errorOf(upload(Buffer.from('%PDF-1.7 other'), 'file'));
    expect(other.type).toBe('StripeIdempotencyError');
    expect(await stripe.files.retrieve(file.id)).toMatchObject({ id: file.id });
    const evidence = { receipt: file.id };
    expect((await stripe.disputes.update(id, { evidence })).evidence).toMatchObject(evidence);
    for (const [name, code] of [
      ['receipt', 'resource_missing'],
      ['lunch', 'parameter_unknown'],
    ]) {
      const { id: next } = await dispute();
      const error = await errorOf(
        stripe.disputes.update(next, { evidence: { [name as string]: 'file_1' } }),
      );
      expect(error).toMatchObject({ code, param: `evidence[${name}]` });
    }
    for (const bytes of [Buffer.from('MZ'), Buffer.alloc(5_242_881, '%PDF-')])
      expect(await errorOf(upload(bytes))).toMatchObject({ statusCode: 400, param: 'file' });
  });
});

describe('the balance', () => {
  test('has an entry for a charge, its refund and a refund that failed', async () => {
    const { id, latest_charge: charge } = await shop.charge('refundFail', {
      expand: ['latest_charge.balance_transaction'],
    });
    const { balance_transaction: entry } = charge as Stripe.Charge;
    expect(entry).toMatchObject({
      type: 'charge',
      amount: 1250,
      net: 1250,
      fee: 0,
      currency: 'gbp',
    });
    const refund = await stripe.refunds.create({
      ...{ payment_intent: id, expand: ['balance_transaction'] },
    });
    expect(refund.balance_transaction).toMatchObject({ type: 'refund', amount: -1250 });
    await advance(id);
    const { data } = await stripe.balanceTransactions.list({ source: refund.id });
    expect(data.map(({ type, net }) => [type, net])).toEqual([
      ['refund_failure', 1250],
      ['refund', -1250],
    ]);
    const [back] = data as [Stripe.BalanceTransaction];
    expect(await stripe.balanceTransactions.retrieve(back.id)).toEqual(back);
    expect((await stripe.refunds.retrieve(refund.id)).failure_balance_transaction).toBe(back.id);
    const charges = await stripe.balanceTransactions.list({ type: 'charge', limit: 1 });
    expect(charges.data[0]?.id).toBe((entry as Stripe.BalanceTransaction).id);
  });

  test('pays a dispute, and has it back when it is won', async () => {
    const { id, latest_charge: charge } = await shop.charge('createDispute');
    const entries = async () =>
      (await stripe.disputes.list({ payment_intent: id })).data[0]?.balance_transactions ?? [];
    expect((await entries()).map(({ net }) => net)).toEqual([-1250]);
    const [dispute] = (await stripe.disputes.list({ payment_intent: id })).data;
    const evidence = { uncategorized_text: 'winning_evidence' };
    await stripe.disputes.update(dispute?.id ?? '', { evidence });
    expect((await entries()).map(({ reporting_category: category }) => category)).toEqual([
      ...['dispute', 'dispute_reversal'],
    ]);
    expect((charge as Stripe.Charge).balance_transaction).toMatch(/^txn_/);
  });

  test('has no entry for what is only held, and no payouts', async () => {
    const { latest_charge: charge } = await shop.charge('visa', { capture_method: 'manual' });
    expect((charge as Stripe.Charge).balance_transaction).toBeNull();
    const none = await errorOf(stripe.balanceTransactions.list({ payout: 'po_1' }));
    expect(none).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'payout' });
    expect((await errorOf(stripe.balanceTransactions.retrieve('txn_none'))).statusCode).toBe(404);
  });
});

describe('search', () => {
  test('finds payments by amount, status and what they are not', async () => {
    const made = await shop.charge('visa', { amount: 4321, metadata: { lane: 'AND "OR" 7' } });
    await shop.charge('visa', { amount: 4320, metadata: { lane: '8' } });
    const found = async (query: string) =>
      (await stripe.paymentIntents.search({ query })).data.map(({ id }) => id);
    expect(await found('amount>4320 AND amount<=4321')).toEqual([made.id]);
    expect(await found(`metadata['lane']:'AND "OR" 7'`)).toEqual([made.id]);
    expect(await found('amount:4321 OR amount:1')).toEqual([made.id]);
    expect(await found("amount>=4320 AND amount<5000 AND -metadata['lane']:'8'")).toEqual([
      made.id,
    ]);
    expect(await found("amount:4321 AND metadata['none']:null")).toEqual([made.id]);
  });

  test('finds charges by their card and customers by a part of their name, in pages', async () => {
    const { customer } = await shop.saveCard('mastercard');
    await shop.charge('mastercard', { amount: 5678 });
    const query = "payment_method_details.card.brand:'mastercard' AND amount:5678";
    const { data } = await stripe.charges.search({ query, expand: ['data.payment_intent'] });
    expect(data).toMatchObject([{ amount: 5678, payment_intent: { object: 'payment_intent' } }]);
    const named = await stripe.customers.search({ query: "name~'ad'", limit: 1 });
    expect([named.data.length, named.has_more]).toEqual([1, true]);
    const next = { query: "name~'ad'", limit: 1, page: named.next_page ?? '' };
    expect((await stripe.customers.search(next)).data[0]?.id).not.toBe(named.data[0]?.id);
    await stripe.customers.update(customer, { email: 'found@shop.test' });
    const byMail = await stripe.customers.search({ query: 'email:"FOUND@shop.test"' });
    expect(byMail.data.map(({ id }) => id)).toEqual([customer]);
  });

  test.each(["lunch:'1'", 'amount:1 AND amount:2 OR amount:3', 'amount', "metadata:'a'"])(
    'refuses %s',
    async (query) => {
      const error = await errorOf(stripe.charges.search({ query }));
      expect(error).toMatchObject({ statusCode: 400, param: 'query' });
    },
  );
});
