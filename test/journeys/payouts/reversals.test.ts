import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { compareTransferBooks } from '../../harness/invariants/compare-transfer-books.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const timeout = 180_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });

const paid = async (amount: number, login: string): Promise<string> => {
  // Longer than the bank takes: an ended request would read EXPIRED.
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day });
  await journey.payer.pay(id, login);
  await journey.becomes(id, 'COMPLETED ACSC');
  return id;
};

type Shown = { readonly id: string; readonly status: string; readonly amount: string };
const payoutWith = (status: string, amount: string): Promise<Shown> =>
  waitUntil(async () => {
    const { data } = (await request('GET', '/api/payouts?limit=100')).body;
    const found = data.find((each: Shown) => each.status === status && each.amount === amount);
    if (found) return found;
    throw new Error(JSON.stringify(data));
  }, patience);

const linesOf = async ({ id }: Shown) =>
  (await request('GET', `/api/payouts/${id}/transactions?limit=100`)).body.data;

const rowsOf = <Row>(name: string, text: string, id: string): Promise<Row[]> =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name: `test_${name}`, text, valueNames: ['id'] },
    { id },
  );

const bothBooksAgree = () =>
  waitUntil(async () => {
    const wrong = [
      ...(await compareTransferBooks(journey.outside)),
      ...(await compareCollectingAccount(journey.outside)),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);

describe('a payment that its bank reverses', { timeout }, () => {
  test('after it was paid out is a negative line of the next payout, its refund stands', async () => {
    const id = await paid(50, 'rejected-days-later');
    const requested = await request('POST', '/api/refund', { paymentRequestId: id, amount: 5 });
    expect(requested.status).toBe(200);
    await payoutWith('PENDING', '45.00');
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '45.00');
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');

    await journey.advance(5 * day);
    await journey.becomes(id, 'FAILED RJCT');
    const events = await journey.eventsOf(id);
    expect(events.slice(-2)).toEqual(['COMPLETED', 'FAILED']);
    const owed = await payoutWith('PENDING', '-50.00');
    expect(await linesOf(owed)).toMatchObject([
      { paymentRequestId: id, amount: '-50.00', isRefund: false, refundId: null },
    ]);
    const { body } = await request('GET', `/api/payments/v1/payment-status/${id}`);
    expect(body.transactionDetails[0].refundDetails).toMatchObject([
      { refundId: requested.body.refundId, status: 'COMPLETED', amount: 5 },
    ]);
    const booked = await rowsOf<{ account: string; pence: string }>(
      'reversed',
      `select account, sum(amount_pence)::text as pence from ledger_entry
       where resource_id = $1::uuid and reason = 'PAYMENT_REVERSED'
       group by account having sum(amount_pence) <> 0 order by account`,
      id,
    );
    expect(booked).toEqual([
      { account: 'COLLECTING_ACCOUNT', pence: '-5000' },
      { account: 'MERCHANT_PAYABLE', pence: '5000' },
    ]);
    await bothBooksAgree();
  });

  test('is owed until other payments outweigh it: no payout is ever negative', async () => {
    await journey.advance(5 * day);
    await payoutWith('PENDING', '-50.00');
    await paid(80, 'approve');
    const open = await payoutWith('PENDING', '30.00');
    await journey.advance(5 * day);
    const settled = await payoutWith('SETTLED', '30.00');
    expect(settled.id).toBe(open.id);
    const amounts = (await linesOf(settled)).map(({ amount }: { amount: string }) => amount);
    expect(amounts.sort()).toEqual(['-50.00', '80.00']);
    await bothBooksAgree();
  });

  longTest('before it was paid out leaves two lines that sum to zero', async () => {
    const id = await paid(60, 'rejected-settled');
    await payoutWith('PENDING', '60.00');
    const refund = await request('POST', '/api/refund', { paymentRequestId: id, amount: 7 });
    await payoutWith('PENDING', '53.00');
    await journey.advance(10 * 60_000);
    await journey.becomes(id, 'FAILED RJCT');
    const open = await payoutWith('PENDING', '-7.00');
    const lines = await linesOf(open);
    expect(lines.map(({ amount }: { amount: string }) => amount).sort()).toEqual([
      '-60.00',
      '-7.00',
      '60.00',
    ]);
    const again = await request('POST', '/api/refund', { paymentRequestId: id, amount: 1 });
    expect([again.status, again.body.name]).toEqual([409, 'INVALID_STATE']);
    expect(refund.status).toBe(200);
    await bothBooksAgree();
  });
});

describe('a payout that its bank returns', { timeout }, () => {
  test('turns FAILED after SETTLED, and its lines are payable again', async () => {
    const { amountPence } = await magicTransfer('return');
    // What is owed from the test before makes the sum of this payout the magic amount.
    const id = await paid((amountPence + (isLongRun ? 700 : 0)) / 100, 'approve');
    const amount = (amountPence / 100).toFixed(2);
    const open = await payoutWith('PENDING', amount);
    await journey.advance(5 * day);
    await waitUntil(async () => {
      const found = await rowsOf<{ path: string }>(
        'path',
        `select string_agg(to_status, ' ' order by version) as path from payout_history
         where payout_id = $1::uuid`,
        open.id,
      );
      if (found[0]?.path.endsWith('SETTLED FAILED')) return true;
      throw new Error(JSON.stringify(found));
    }, patience);
    const failed = await payoutWith('FAILED', amount);
    expect((await linesOf(failed)).length).toBe(isLongRun ? 4 : 1);
    await payoutWith('PENDING', amount);
    await bothBooksAgree();
    // Of a rejected one the next is paid: payouts.test.ts.
    if (!isLongRun) return;
    await paid(5, 'approve');
    const whole = ((amountPence + 500) / 100).toFixed(2);
    await payoutWith('PENDING', whole);
    await journey.advance(5 * day);
    const settled = await payoutWith('SETTLED', whole);
    const lines = await linesOf(settled);
    expect(lines.some((line: { paymentRequestId: string }) => line.paymentRequestId === id)).toBe(
      true,
    );
    await bothBooksAgree();
  });
});

test('an entry of the books is never changed', async () => {
  const [entry] = await rowsOf<{ id: string }>(
    'entry',
    `select resource_id::text as id from ledger_entry where merchant_id = $1::uuid limit 1`,
    journey.sandbox.tenant.merchantId,
  );
  const change = `update ledger_entry set reason = reason where resource_id = $1::uuid returning 1`;
  await expect(rowsOf('change', change, entry?.id ?? '')).rejects.toThrow('append-only');
});

test('the books match, with reversals and returns', { timeout }, () => journey.allAgree({}));

const magicTransfer = async (wanted: string): Promise<{ amountPence: number }> => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(`${journey.outside.trustFolder}/registration.json`, 'utf8');
  const { controlUrl, controlToken } = JSON.parse(text);
  const answer = await fetch(`${controlUrl}/magic/transfers`, {
    headers: { authorization: `Bearer ${controlToken}` },
  });
  const all = (await answer.json()) as { name: string; amountPence: number }[];
  const found = all.find(({ name }) => name === wanted);
  if (!found) throw new Error(`no behaviour ${wanted}`);
  return found;
};
