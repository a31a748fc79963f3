import { describe, expect, test } from 'vitest';
import {
  createPaymentCode,
  listPaymentCodes,
  setPaymentCodeStatus,
} from '../../../../../contract/dashboard/index.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { resumeMerchant, suspendMerchant } from '../../merchants/index.ts';
import { submit } from '../../payments/test/submit.ts';
import { call, cashier, killable, payments } from './counter-steps.ts';

const countOfCode = statement<{ readonly codeId: string }, { readonly payments: number }>(
  'test_payments_of_code',
  sql('codeId')`
   select count(*)::int as payments from payment_request where secret_id = :codeId::uuid`,
);

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

  test('of a suspended merchant is not paid, and is again once it is resumed', async () => {
    const path = await made({ amount: 5 });
    const form = formOf((await visit(path)).html);
    await suspendMerchant(payments.tools, payments.sandbox, 'Fraud', { name: 'Ada' });
    for (const shown of [await visit(path), await visit(path, form)]) {
      expect(shown.status).toBe(403);
      expect(shown.html).toContain('is not taking payments at the moment');
    }
    await resumeMerchant(payments.tools, payments.sandbox, { name: 'Ada' });
    expect((await visit(path, form)).status).toBe(303);
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

  const codeOf = async (body: object = {}) => {
    const { codeId, codeUrl } = (await make(body)).body;
    const path = new URL(codeUrl).pathname;
    const begun = async () =>
      (await payments.database.system(countOfCode, { codeId }))[0]?.payments;
    return { path, begun, opened: async () => formOf((await visit(path)).html) };
  };

  test('begins thirty and no more, however many scan it at once', async () => {
    const { path, begun, opened } = await codeOf({ amount: 5 });
    const forms = await Promise.all(Array.from({ length: 40 }, opened));
    const first = await visit(path, forms[0]);
    const sent = forms.flatMap((form) => [form, form]);
    const replies = await Promise.all(sent.map((form) => visit(path, form)));
    const made = new Set(replies.filter(({ status }) => status === 303).map(idOf));
    expect([made.size, await begun()]).toEqual([30, 30]);
    const refused = replies.filter(({ status }) => status !== 303);
    expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(429));
    // Who has a payment already is led to it.
    expect(idOf(await visit(path, forms[0]))).toBe(idOf(first));
    await payments.advance(61_000);
    expect((await visit(path, await opened())).status).toBe(303);
    expect(await begun()).toBe(31);
  });

  test('makes one payment of a form, wherever the program is killed', async () => {
    const { path, begun, opened } = await codeOf({ amount: 5 });
    const steps = await killable.killAfterEach({
      prepare: opened,
      work: (form) => visit(path, form),
      check: async (form, killed, round) => {
        const ids = new Set([idOf(await visit(path, form)), idOf(await visit(path, form))]);
        expect([ids.size, await begun()], killed).toEqual([1, round]);
      },
    });
    expect(steps).toContain('payment_request_insert');
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
    const sorted = async (orderBy: 'OLDEST' | 'LABEL') =>
      (await call(listPaymentCodes, { query: { orderBy, size: 100 } })).body.data;
    const made = (await sorted('OLDEST')).map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(made).toEqual(made.toSorted());
    const labels = (await sorted('LABEL')).map(({ label }: { label: string }) => label);
    expect(labels).toEqual(labels.toSorted());
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
