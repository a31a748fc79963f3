import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPaymentCode,
  getPaymentLink,
  listPaymentCodes,
  listPaymentLinks,
  mailPaymentLink,
  setPaymentCodeStatus,
} from '../../../../contract/dashboard/index.ts';
import { requestPayment } from '../../../../contract/index.ts';
import { type SignedIn, signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { parseForms } from '../../platform/http/input/parse-bodies.ts';
import { useCookies } from '../../platform/http/use-cookies.ts';
import { merchantRoutes as checkoutRoutes, formTokens } from '../checkout/index.ts';
import { memberCalls } from '../desk/test/member-calls.ts';
import { openPayments, type Payments } from '../payments/test/open-payments.ts';
import { submit } from '../payments/test/submit.ts';
import { codePageRoutes } from './codes/code-page-routes.ts';
import { memberRoutes } from './member-routes.ts';

const fillDay = statement<{ readonly merchantId: string }, never>(
  'test_link_mail_day',
  sql('merchantId')`
   update link_mail_day set mails = 200 where merchant_id = :merchantId::uuid`,
);

let payments: Payments;
let cashier: SignedIn;
let call: ReturnType<typeof memberCalls>;
beforeAll(async () => {
  payments = await openPayments({
    routes: (tools) => [...memberRoutes(tools), ...checkoutRoutes(tools)],
  });
  await payments.app.register(async (pages) => {
    parseForms(pages);
    useCookies(pages, { isSecure: false });
    codePageRoutes(pages, {
      ...payments.tools,
      publicUrl: 'https://pay.example',
      operatorName: 'Florin Payments',
      formTokens: formTokens(payments.tools.secrets.keyFor('checkout-form')),
    });
  });
  const { merchantId } = payments.merchant;
  cashier = await signIn(payments.tools, { merchantId, role: 'cashier', name: 'Grace Hopper' });
  call = memberCalls(payments, cashier.headers);
});
afterAll(() => payments.close());

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
    expect(replies[0]?.body).toEqual({ mailedTo: 'ada@example.com' });
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
    expect(await mailsOf(id)).toHaveLength(3);
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
    const { status, body } = await mail(await link());
    expect([status, body.name]).toEqual([409, 'INVALID_STATE']);
  });
});

describe('a printed code', () => {
  const make = (body: object = {}, key: string | null = null) =>
    call(createPaymentCode, {
      body: { label: 'Table 4', ...body },
      headers: { ...cashier.headers, ...(key && { 'idempotency-key': key }) },
    });
  const made = async (body: object = {}): Promise<string> =>
    new URL((await make(body)).body.codeUrl).pathname;
  const visit = async (path: string, form?: Readonly<Record<string, string>>) => {
    const reply = await payments.app.inject({
      method: form ? 'POST' : 'GET',
      url: path,
      headers: form ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    const { statusCode: status, body: html, headers } = reply;
    return { status, html, headers, location: String(headers.location ?? '') };
  };
  const formOf = (html: string): Record<string, string> =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
  const idOf = ({ location }: { readonly location: string }): string =>
    new URL(location, 'https://pay.example').searchParams.get('paymentRequestId') ?? '';

  test('makes a payment for each opening, and one however often its form is sent', async () => {
    const path = await made({ minAmount: 2, maxAmount: 50 });
    const { html, status, headers } = await visit(path);
    expect(status).toBe(200);
    expect(html).toContain('Table 4');
    expect(html).toContain('inputmode="decimal"');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const form = { ...formOf(html), amount: '12.50' };
    const [first, second] = await Promise.all([visit(path, form), visit(path, form)]);
    expect(first.status).toBe(303);
    expect(idOf(first)).not.toBe('');
    expect(idOf(second)).toBe(idOf(first));
    expect(idOf(await visit(path, form))).toBe(idOf(first));
    expect(idOf(await visit(path, { ...form, amount: '13' }))).not.toBe(idOf(first));
    const again = { ...formOf((await visit(path)).html), amount: '12.50' };
    expect(idOf(await visit(path, again))).not.toBe(idOf(first));
    const { body } = await payments.status(idOf(first));
    expect(body).toMatchObject({ status: 'PAYMENT_NOT_INITIATED' });
  });

  test('emits the usual events', async () => {
    const path = await made({ amount: 12.5 });
    const { html } = await visit(path);
    expect(html).toContain('£12.50');
    expect(html).not.toContain('name="amount"');
    const id = idOf(await visit(path, { ...formOf(html), amount: '1' }));
    await submit(payments, payments.bankId, 'ACSC', id);
    expect(new Set(await payments.eventsOf(id))).toEqual(new Set(['PAYMENTS_STATUS']));
    const { body } = await payments.status(id);
    expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5 });
  });

  test.each([
    ['nothing', ''],
    ['words', 'ten'],
    ['less than the least', '1.99'],
    ['more than the most', '50.01'],
    ['three decimals', '2.001'],
    ['something hostile', '"><script>'],
  ])('whose payer enters %s is shown the form again', async (_, amount) => {
    const path = await made({ minAmount: 2, maxAmount: 50 });
    const sent = await visit(path, { ...formOf((await visit(path)).html), amount });
    expect(sent.status).toBe(422);
    expect(sent.html).toContain('aria-invalid="true"');
    expect(sent.html).not.toContain('"><script>');
  });

  test('takes forms of its own page alone', async () => {
    const path = await made({ amount: 5 });
    const form = formOf((await visit(path)).html);
    const others = formOf((await visit(await made({ amount: 5 }))).html);
    for (const forged of [{}, { ...form, visit: 'x'.repeat(22) }, others])
      expect((await visit(path, forged)).location).toBe(path);
  });

  test('that is disabled, unknown or of a store that is closed shows a plain page', async () => {
    const { body } = await make();
    const path = new URL(body.codeUrl).pathname;
    const form = { ...formOf((await visit(path)).html), amount: '5' };
    const params = { codeId: body.codeId };
    const set = (status: string) => call(setPaymentCodeStatus, { params, body: { status } });
    expect((await set('DISABLED')).body.status).toBe('DISABLED');
    for (const gone of [await visit(path), await visit(path, form), await visit('/c/nothing')]) {
      expect(gone.status).toBe(404);
      expect(gone.html).toContain('This code cannot be used');
    }
    await set('ACTIVE');
    expect((await visit(path)).status).toBe(200);
  });

  test('begins thirty payments a minute and no more', async () => {
    const path = await made({ amount: 5 });
    const { html } = await visit(path);
    const first = formOf(html);
    for (let sent = 0; sent < 30; sent += 1) {
      const form = sent === 0 ? first : formOf((await visit(path)).html);
      expect((await visit(path, form)).status).toBe(303);
    }
    const refused = await visit(path, formOf((await visit(path)).html));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    await payments.advance(61_000);
    expect((await visit(path, formOf((await visit(path)).html))).status).toBe(303);
  });

  test('is made once for each key, within the limits, and listed', async () => {
    const [one, two] = await Promise.all([make({}, 'c-1'), make({}, 'c-1')]);
    const again = await make({}, 'c-1');
    const ids = [one, two, again].flatMap(({ body }) => (body.codeId ? [body.codeId] : []));
    expect(new Set(ids).size).toBe(1);
    for (const [body, field] of [
      [{ amount: 0.5 }, 'amount'],
      [{ amount: 5, minAmount: 1 }, 'minAmount'],
      [{ minAmount: 5, maxAmount: 4 }, 'maxAmount'],
      [{ maxAmount: 15_000.01 }, 'maxAmount'],
      [{ label: ' ' }, 'label'],
      [{ storeId: '00000000-0000-4000-8000-000000000000' }, 'storeId'],
    ] as const)
      expect((await make(body)).body.errors?.[0]?.field, field).toBe(field);
    const { data, totalCount } = (await call(listPaymentCodes, { query: { size: 3 } })).body;
    expect(data).toHaveLength(3);
    expect(totalCount).toBeGreaterThan(3);
    expect(data[0]).toMatchObject({ madeBy: 'Grace Hopper', label: 'Table 4' });
    const image = await visit(new URL(data[0].qrCodeUrl).pathname);
    expect(image.headers['content-type']).toContain('image/svg+xml');
    const other = await payments.newMerchant();
    const { headers } = await signIn(payments.tools, { merchantId: other.merchantId });
    const params = { codeId: data[0].codeId };
    const sent = { params, headers, merchantId: other.merchantId, body: { status: 'DISABLED' } };
    expect((await call(setPaymentCodeStatus, sent)).status).toBe(404);
    expect(
      (await call(listPaymentCodes, { headers, merchantId: other.merchantId })).body.data,
    ).toEqual([]);
  });
});
