import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const timeout = 180_000;
const formula = '=cmd|" /C calc"!A0';

let journey: Journey;
let today: string;
let id: string;
let refundId: string;
beforeAll(async () => {
  journey = await openJourney();
  id = await journey.create({ enableTips: false, notes: formula, orderId: '@SUM(1,2)' });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED ACSC');
  const body = { paymentRequestId: id, amount: 2.5 };
  refundId = (await journey.sandbox.request('POST', '/api/refund', { body })).body.refundId;
  const open = await waitUntil(async () => {
    const { data } = (await journey.sandbox.request('GET', '/api/payouts')).body;
    if (data[0]?.amount === '10.00') return data[0];
    throw new Error(JSON.stringify(data));
  }, patience);
  await waitUntil(async () => {
    const [refund] = (await journey.sandbox.request('GET', `/api/refund/${id}`)).body;
    if (refund?.status === 'COMPLETED') return true;
    throw new Error(JSON.stringify(refund));
  }, patience);
  today = open.createdAt.slice(0, 10);
});
afterAll(() => journey.close());

const download = async (path: string, secret = journey.sandbox.secret) => {
  const reply = await fetch(`${journey.sandbox.url}${path}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};
const period = () => `fromDate=${today}&toDate=${today}`;

describe('an export', { timeout }, () => {
  test('of payouts has a line for each line of theirs, and no cell is a formula', async () => {
    const { status, headers, text } = await download(`/api/payouts/export?${period()}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toContain(`payouts-${today}-${today}.csv`);
    const lines = text.split('\r\n');
    expect(lines[0]).toMatch(/^payoutId,payoutReferenceId,payoutStatus,payoutAmount,/);
    expect(lines.slice(1, 3).map((line) => line.split(',').slice(6, 9))).toEqual([
      ['PAYMENT', '12.50', 'GBP'],
      ['REFUND', '-2.50', 'GBP'],
    ]);
    expect(text).toContain(`"'=cmd|"" /C calc""!A0"`);
    expect(text).toContain(`"'@SUM(1,2)"`);
    expect(text).toContain(refundId);
    expect(lines.at(-1)).toBe('');
    expect(lines).toHaveLength(4);
  });

  test('as JSON prints the same, with amounts as the interface prints them', async () => {
    const reply = await download(`/api/payouts/export?${period()}&format=json`);
    const { data } = JSON.parse(reply.text);
    expect(data).toMatchObject([
      { lineType: 'PAYMENT', amount: '12.50', payoutAmount: '10.00', notes: formula },
      { lineType: 'REFUND', amount: '-2.50', refundId, isRefund: true },
    ]);
    const payments = await download(`/api/payments/export?${period()}&format=json`);
    expect(JSON.parse(payments.text).data).toMatchObject([
      { paymentRequestId: id, paidAmount: 12.5, totalRefundAmount: 2.5, status: 'COMPLETED' },
    ]);
    const csv = await download(`/api/payments/export?${period()}`);
    expect(csv.text.split('\r\n')[1]).toContain(',COMPLETED,PAY_BY_BANK,12.5,0,2.5,GBP,');
  });

  test('of more lines than a page holds has each of them once, payout by payout', async () => {
    const run = (text: string) =>
      journey.sandbox.tools.database.system<object, object>({ name: '', text, valueNames: [] }, {});
    await run(`
      with copy as (
        insert into payout select (jsonb_populate_record(p, jsonb_build_object(
          'payout_id', gen_random_uuid(), 'reference', 'COPY', 'status', 'SETTLED',
          'created_at', p.created_at - interval '1 millisecond'))).* from payout p
        returning payout_id
      )
      insert into payout_line select (jsonb_populate_record(l, jsonb_build_object(
        'payout_id', o.payout_id, 'entry_id', 9000000 + i, 'amount_pence', i, 'state', 'MOVED'))).*
      from payout_line l, generate_series(1, 1500) i,
        (select payout_id from copy union all select payout_id from payout) o
      where l.reason = (select min(reason) from payout_line where attempt_id is not null)`);
    const { text } = await download(`/api/payouts/export?${period()}&format=json`);
    await run(`delete from payout_line where entry_id > 9000000`);
    await run(`delete from payout where reference = 'COPY'`);
    const { data } = JSON.parse(text);
    const keys = data.map(
      (line: { payoutReferenceId: string; amount: string }) =>
        `${line.payoutReferenceId} ${line.amount}`,
    );
    expect(data).toHaveLength(3_002);
    expect(new Set(keys).size).toBe(3_001);
    const copies = keys.map((key: string) => key.startsWith('COPY'));
    expect(copies.lastIndexOf(false)).toBe(1_501);
    expect(copies.indexOf(true)).toBe(1_502);
  });

  test('of days without anything is its header line, or an empty list', async () => {
    const old = 'fromDate=2020-01-01&toDate=2020-12-31';
    for (const path of ['payouts', 'payments', 'payouts/matches']) {
      const { text } = await download(`/api/${path}/export?${old}`);
      expect(text).toMatch(/^[a-zA-Z]+(,[a-zA-Z]+){5,}\r\n$/);
      expect((await download(`/api/${path}/export?${period()}`)).text).toMatch(text);
    }
    expect((await download(`/api/payments/export?${old}&format=json`)).text).toBe('{"data":[]}');
  });

  test('is refused by the name of what is wrong', async () => {
    for (const [query, field] of [
      ['', 'fromDate'],
      ['fromDate=2026-02-30&toDate=2026-03-01', 'fromDate'],
      ['fromDate=2026-03-02&toDate=2026-03-01', 'toDate'],
      ['fromDate=2025-01-01&toDate=2026-01-02', 'toDate'],
      [`${period()}&format=xls`, 'format'],
    ]) {
      const { status, text } = await download(`/api/payouts/export?${query}`);
      expect([query, status, JSON.parse(text).errors[0].field]).toEqual([query, 400, field]);
    }
    expect((await download(`/api/payouts/export?${period()}`, 'wrong')).status).toBe(401);
  });

  test('shows nothing of another environment', async () => {
    const { productionSecret } = journey.sandbox;
    for (const path of ['payouts', 'payments']) {
      const { text } = await download(`/api/${path}/export?${period()}`, productionSecret);
      expect(text.split('\r\n')).toHaveLength(2);
    }
  });

  test('counts a refund on its way, as the status and the search do', async () => {
    const { request } = journey.sandbox;
    await request('POST', '/api/sandbox/switches', { body: { transferHubPaused: true } });
    await request('POST', '/api/refund', { body: { paymentRequestId: id, amount: 1 } });
    const { body } = await request('GET', `/api/payments/v1/payment-status/${id}`);
    const { text } = await download(`/api/payments/export?${period()}&format=json`);
    const shown = [body.transactionDetails[0], JSON.parse(text).data[0]];
    expect(shown.map(({ totalRefundAmount }) => totalRefundAmount)).toEqual([3.5, 3.5]);
    await request('POST', '/api/sandbox/switches', { body: { transferHubPaused: false } });
  });

  test('is written by command, too', async () => {
    const { merchantId } = journey.sandbox.tenant;
    const { databaseUrl, folder } = journey.sandbox;
    const database = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    const words = [merchantId, 'sandbox', 'export', 'payouts', today, today];
    const { out } = await runCommand('configure-merchant.ts', words, database);
    expect(out.trimEnd()).toBe((await download(`/api/payouts/export?${period()}`)).text.trimEnd());
  });
});
