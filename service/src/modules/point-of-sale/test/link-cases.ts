import { describe, expect, test } from 'vitest';
import {
  getPaymentLink,
  listPaymentLinks,
  mailPaymentLink,
} from '../../../../../contract/dashboard/index.ts';
import { requestPayment } from '../../../../../contract/index.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Mail } from '../../../rails/mail-rail.ts';
import { receiptJobs } from '../../checkout/index.ts';
import { resumeMerchant, suspendMerchant } from '../../merchants/index.ts';
import { call, cashier, killable, mortal, payments } from './counter-steps.ts';

const unprove = statement<{ readonly personId: string }, never>(
  'test_unprove_address',
  sql('personId')`update person set email_verified = false where person_id = :personId::uuid`,
  { guardedBy: 'test' },
);

const fillDay = statement<{ readonly merchantId: string }, never>(
  'test_link_mail_day',
  sql('merchantId')`
   update link_mail_day set mails = 200 where merchant_id = :merchantId::uuid`,
);
const endMailLeases = statement<object, never>(
  'test_link_mail_leases',
  sql()`update receipt_mail set leased_until = now() - interval '1 second'
   where leased_until is not null`,
);

describe('payment links', () => {
  const link = async (body: object = {}): Promise<string> => {
    const sent = { body: { ...payments.order, expiresIn: 3_600_000, ...body } };
    return (await call(requestPayment, sent)).body.paymentRequestId;
  };
  const mail = (paymentRequestId: string, body: object = {}, key: string | null = null) =>
    call(mailPaymentLink, {
      params: { paymentRequestId },
      body: { email: 'ada@example.com', ...body },
      headers: { ...cashier.headers, ...(key && { 'idempotency-key': key }) },
    });
  const mailsOf = async (id: string) => {
    const { body } = await payments.request('GET', '/api/payments/receipt-mails?limit=100');
    return body.filter((each: { paymentRequestId: string }) => each.paymentRequestId === id);
  };

  test('are listed by amount and time, and added up', async () => {
    const amounts = [31, 29, 33];
    for (const amount of amounts) await link({ amount });
    const read: number[] = [];
    let before: string | null = null;
    while (read.length < 3) {
      const query = { orderBy: 'LARGEST', limit: 1, ...(before && { before }) };
      const { body } = await call(listPaymentLinks, { query });
      read.push(body.data[0].amount);
      before = body.nextBefore;
    }
    expect(read).toEqual([33, 31, 29]);
    const totalled = { totals: 'true', status: 'OPEN' };
    const { data, totals } = (await call(listPaymentLinks, { query: totalled })).body;
    const sum = data.reduce((all: number, each: { amount: number }) => all + each.amount, 0);
    expect(totals).toMatchObject({ count: data.length, amount: sum, isMinimum: false });
    const [{ paymentRequestId, shortUrl, storeName }] = data;
    const shown = await call(getPaymentLink, { params: { paymentRequestId } });
    expect([shortUrl, storeName]).toEqual([
      shown.body.shortUrl,
      expect.not.stringMatching(/^DEFAULT$/),
    ]);
    const [order] = data;
    for (const search of [order.orderId.slice(1).toUpperCase(), '33.00'])
      expect(
        (await call(listPaymentLinks, { query: { search, limit: 1 } })).body.data,
      ).toHaveLength(1);
    for (const search of ['no such order', '33.01'])
      expect((await call(listPaymentLinks, { query: { search } })).body.data).toEqual([]);
    const past = { totals: 'true', to: '2020-01-01' };
    expect((await call(listPaymentLinks, { query: past })).body.totals.count).toBe(0);
  });

  test('are mailed to others by a person whose address is proven, to themself before', async () => {
    const person = await signIn(payments.tools, { merchantId: payments.merchant.merchantId });
    await payments.database.system(unprove, { personId: person.personId });
    const mailTo = async (email: string) =>
      call(mailPaymentLink, {
        ...{ params: { paymentRequestId: await link() }, body: { email } },
        headers: person.headers,
      });
    const refused = await mailTo('anybody@example.com');
    expect([refused.status, refused.body.name]).toEqual([403, 'ADDRESS_NOT_PROVEN']);
    expect((await mailTo(person.email)).status).toBe(200);
  });

  test('of a suspended merchant are not mailed', async () => {
    const id = await link();
    const before = await mail(id, {}, 'mailed-before');
    await suspendMerchant(payments.tools, payments.sandbox, 'Fraud', { name: 'Ada' });
    expect((await mail(id)).body.name).toBe('MERCHANT_SUSPENDED');
    expect((await mail(id, {}, 'mailed-before')).body).toEqual(before.body);
    await resumeMerchant(payments.tools, payments.sandbox, { name: 'Ada' });
    expect(await mailsOf(id)).toHaveLength(1);
  });

  test('are those of members, with who made them, and not those of programs or the till', async () => {
    const program = await payments.created();
    const ids = [await link(), await link({ notes: 'Lamp' })].reverse();
    const { data } = (await call(listPaymentLinks, { query: { limit: 2 } })).body;
    const shown = data.map(({ paymentRequestId: id }: { paymentRequestId: string }) => id);
    expect(shown).toEqual(ids);
    expect(data[0]).toMatchObject({ madeBy: 'Grace Hopper', notes: 'Lamp', paidAmount: 0 });
    const params = { paymentRequestId: program };
    const { body } = await call(getPaymentLink, { params });
    expect(body).toMatchObject({ madeBy: null, qrCodeUrl: expect.stringContaining(program) });
    const { body: own } = await call(getPaymentLink, {
      params: { paymentRequestId: ids[0] ?? '' },
    });
    expect(own.madeBy).toBe('Grace Hopper');
  });

  test('are mailed once for each key, with what was written as text', async () => {
    const id = await link({ orderId: '<b>1</b>' });
    const note = '<script>alert(1)</script>\nSee you';
    const replies = await Promise.all([mail(id, { note }, 'm-1'), mail(id, { note }, 'm-1')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body).toEqual({ mailedTo: 'ada@example.com', isCaught: true });
    const mails = await mailsOf(id);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'ada@example.com', sentAt: null });
    expect(mails[0].subject).toMatch(/ requests £12\.50$/);
    expect(mails[0].text).toContain(`https://pay.example/pay?paymentRequestId=${id}`);
    expect(mails[0].html).toContain('&lt;script&gt;');
    expect(mails[0].html).not.toContain('<script>');
    expect(mails[0].html).not.toContain('<b>1</b>');
  });

  test('are mailed three times each, however many are sent at once', async () => {
    const id = await link();
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => mail(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      name: 'INVALID_STATE',
      message: 'This link was mailed 3 times already. Send it another way.',
    });
    expect(await mailsOf(id)).toHaveLength(3);
  });

  test('are queued once, wherever the program that mails is killed', async () => {
    const steps = await killable.killAfterEach({
      prepare: () => link(),
      work: (id) => mail(id, {}, `killed-${id}`),
      check: async (id, killed) => {
        expect((await mail(id, {}, `killed-${id}`)).status, killed).toBe(200);
        expect(await mailsOf(id), killed).toHaveLength(1);
      },
    });
    expect(steps).toContain('link_mail_insert');
  });

  test('leave once, or twice under one id if the worker dies as it has sent', async () => {
    const sent: Mail[] = [];
    const mailRail = {
      close: async () => undefined,
      send: (mail: Mail) =>
        killable.step('send', async () => {
          sent.push(mail);
          return { kind: 'SENT' as const };
        }),
    };
    const { tools } = payments;
    const workerOf = (all: typeof tools) => receiptJobs({ ...all, mailRail })[0];
    const other = workerOf(tools);
    while ((await other?.run()) !== 0);
    const worker = workerOf(mortal(tools));
    const counts: Record<string, number> = {};
    await killable.killAfterEach({
      prepare: async () => {
        const id = await link();
        await mail(id);
        sent.length = 0;
        return id;
      },
      work: async () => worker?.run(),
      check: async (id, killed) => {
        await payments.database.system(endMailLeases, {});
        await other?.run();
        expect(await other?.run()).toBe(0);
        expect(new Set(sent.map(({ messageId }) => messageId)).size, killed).toBe(1);
        const [shown] = await mailsOf(id);
        expect(shown, killed).toMatchObject({ to: null, sentAt: expect.any(String) });
        counts[killed.split(', ').at(-1) ?? ''] = sent.length;
      },
    });
    expect(counts).toEqual({ 'killed after receipt_claim': 1, send: 2, receipt_finish: 1 });
  });

  test.each([
    ['no address', 'ada'],
    ['two addresses', 'ada@example.com,bob@example.com'],
    ['a line break', 'ada@example.com\nbcc: x@example.com'],
  ])('are not mailed to %s', async (_, email) => {
    const { status, body } = await mail(await link(), { email });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'email']);
  });

  test('that cannot be paid, or are of another merchant, are not mailed', async () => {
    const id = await link();
    await payments.cancel(id);
    expect((await mail(id)).status).toBe(409);
    const other = await payments.newMerchant();
    const { headers } = await signIn(payments.tools, { merchantId: other.merchantId });
    const params = { paymentRequestId: await link() };
    const sent = { params, headers, merchantId: other.merchantId };
    const refused = await call(mailPaymentLink, { ...sent, body: { email: 'a@example.com' } });
    expect(refused.status).toBe(404);
    expect((await call(getPaymentLink, sent)).status).toBe(404);
  });

  test('are mailed so often a day for each business', async () => {
    const { merchantId } = payments.merchant;
    await payments.database.system(fillDay, { merchantId });
    const { status, body, headers } = await mail(await link());
    expect([status, body.name]).toEqual([429, 'RATE_LIMITED']);
    expect(body.message).toContain('200 links');
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(25 * 3_600);
  });
});
