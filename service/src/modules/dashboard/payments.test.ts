import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../../contract/dashboard/index.ts';
import { type SignedIn, signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { payeeFor } from '../merchants/index.ts';
import { endAttempt } from '../payments/requests/end-request.ts';
import { openPayments, type Payments } from '../payments/test/open-payments.ts';
import { begin, submit } from '../payments/test/submit.ts';
import { merchantRoutes as webhookRoutes } from '../webhooks/index.ts';
import { memberRoutes } from './routes.ts';
import { memberCalls } from './test/member-calls.ts';

let payments: Payments;
let owner: SignedIn;
let call: ReturnType<typeof memberCalls>;
let paid: string;
let ended: string;
beforeAll(async () => {
  payments = await openPayments({
    routes: (tools) => {
      const forgetSecret = () => undefined;
      const none = { find: () => null, need: () => ({}) as never };
      return [
        ...memberRoutes({ ...tools, forgetSecret, bankRails: none }),
        ...webhookRoutes(tools),
      ];
    },
  });
  owner = await signIn(payments.tools, { merchantId: payments.merchant.merchantId });
  call = memberCalls(payments, owner.headers);
  const body = { url: 'http://127.0.0.1:65099/hook', events: ['PAYMENTS_STATUS'] };
  const hook = await payments.request('POST', '/api/webhook/v2/endpoints', { body });
  expect(hook.body.url).toBe(body.url);
  paid = await submit(payments, payments.bankId, 'ACSC');
  const begun = await begin(payments);
  const reason = { code: 'NOT_APPROVED_IN_TIME', description: 'It was not approved in time.' };
  await endAttempt(payments.tools, begun.payment, begun.attemptId, 'abandoned', reason);
  ended = begun.id;
});
afterAll(() => payments.close());

const timelineOf = async (paymentRequestId: string) =>
  (await call(dashboard.getPaymentTimeline, { params: { paymentRequestId } })).body;

describe('the time line of a payment', () => {
  test('tells every state, event and delivery in order, and who did it', async () => {
    const timeline = await timelineOf(paid);
    expect(timeline).toMatchObject({
      status: 'PAID',
      amount: 12.5,
      paidAmount: 12.5,
      orderId: 'order-1',
      isWhole: true,
    });
    type Entry = { kind: string; title: string; by: object; at: string };
    const entries: Entry[] = timeline.entries;
    const seen = entries.map(({ kind, title }) => `${kind} ${title}`);
    expect(seen.slice(0, 3)).toEqual([
      'REQUEST Payment requested',
      'ATTEMPT The customer started to pay',
      'ATTEMPT The customer approved it, and it was handed to the bank',
    ]);
    expect(seen).toContain('ATTEMPT The bank accepted the payment');
    expect(seen).toContain('REQUEST Paid in full');
    expect(seen).toContain('EVENT Event PAYMENTS_STATUS');
    expect(seen).toContain('DELIVERY Delivery to http://127.0.0.1:65099/hook');
    expect(entries[0]?.by).toEqual({ kind: 'API', name: 'Default' });
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  test('of a printed code begins with the payer', async () => {
    const id = await payments.created();
    const text = `update payment_request set channel = 'CODE' where payment_request_id = $1::uuid`;
    const name = 'test_make_of_code';
    await payments.database.system<{ id: string }, never>(
      { name, text, valueNames: ['id'] },
      { id },
    );
    const { entries } = await timelineOf(id);
    expect(entries).toMatchObject([
      { title: 'The customer opened a printed code', by: { kind: 'PAYER', name: null } },
    ]);
  });

  test('of a payment that was not finished says so, and another merchant sees none', async () => {
    const { entries } = await timelineOf(ended);
    const last = entries.findLast(({ kind }: { kind: string }) => kind === 'ATTEMPT');
    expect(last).toMatchObject({ title: 'Not approved in time', status: 'CANCELLED' });
    const other = await payments.newMerchant();
    const { headers } = await signIn(payments.tools, { merchantId: other.merchantId });
    const sent = { params: { paymentRequestId: paid }, headers, merchantId: other.merchantId };
    expect((await call(dashboard.getPaymentTimeline, sent)).status).toBe(404);
  });
});

describe('insights', () => {
  test('count how far payers came, by bank', async () => {
    const { body } = await call(dashboard.getFunnel);
    const steps = { started: 2, handedOver: 2, approved: 1, paid: 1, failed: 0 };
    expect(body).toMatchObject({ isSample: false, ...steps });
    expect(body.banks).toMatchObject([{ institutionId: payments.bankId, ...steps }]);
    const ofStore = { query: { storeId: payments.merchant.storeIds.SANDBOX } };
    expect((await call(dashboard.getFunnel, ofStore)).body).toEqual(body);
    const ofOther = { query: { storeId: crypto.randomUUID() } };
    expect((await call(dashboard.getFunnel, ofOther)).body).toMatchObject({
      opened: 0,
      started: 0,
    });
    expect((await call(dashboard.listFailures, ofOther)).body.data).toEqual([]);
    const past = { query: { from: '2020-01-01', to: '2020-01-31' } };
    expect((await call(dashboard.getFunnel, past)).body.banks).toEqual([]);
  });

  test('say why payments failed and whose move it is', async () => {
    const { body } = await call(dashboard.listFailures);
    expect(body.data).toMatchObject([
      {
        reason: 'NOT_APPROVED_IN_TIME',
        title: 'The customer did not approve it in time.',
        whoseMove: 'PAYER',
        count: 1,
        amount: 12.5,
        latest: [{ paymentRequestId: ended, orderId: expect.any(String) }],
      },
    ]);
    const backwards = { query: { from: '2026-02-01', to: '2026-01-01' } };
    const wrong = await call(dashboard.listFailures, backwards);
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'to']);
  });

  test('of refunds list nothing where there is none', async () => {
    const query = { status: 'PENDING', totals: 'true' };
    const refunds = await call(dashboard.listMerchantRefunds, { query });
    expect(refunds.body).toMatchObject({ data: [], totals: { count: 0, byStatus: [] } });
  });
});

describe('saved views', () => {
  const body = { page: 'payments', name: 'Failed today', query: '?status=FAILED&days=1' };

  test('are of one person, replaced by name and deleted', async () => {
    const saved = (await call(dashboard.saveView, { body })).body;
    const again = await call(dashboard.saveView, { body: { ...body, query: '?status=FAILED' } });
    expect(again.body).toMatchObject({ viewId: saved.viewId, query: '?status=FAILED' });
    const query = { page: 'payments' };
    expect((await call(dashboard.listSavedViews, { query })).body.data).toHaveLength(1);
    const { merchantId } = payments.merchant;
    const { headers } = await signIn(payments.tools, { merchantId, role: 'cashier' });
    expect((await call(dashboard.listSavedViews, { query, headers })).body.data).toEqual([]);
    const params = { viewId: saved.viewId };
    const foreign = await call(dashboard.deleteView, { params, headers });
    expect(foreign.status).toBe(404);
    expect((await call(dashboard.deleteView, { params })).status).toBe(200);
    expect((await call(dashboard.deleteView, { params })).status).toBe(404);
  });

  test('are at most twenty of a page', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `View ${at}`);
    for (const name of names)
      expect((await call(dashboard.saveView, { body: { ...body, name } })).status).toBe(200);
    const full = await call(dashboard.saveView, { body });
    expect([full.status, full.body.name]).toEqual([409, 'CONFLICT']);
    const known = await call(dashboard.saveView, { body: { ...body, name: 'View 3' } });
    expect(known.status).toBe(200);
    const wrong = await call(dashboard.saveView, {
      body: { ...body, query: 'https://evil.example' },
    });
    expect(wrong.status).toBe(400);
  });
});

describe('settings', () => {
  test('of the business are changed by a manager, and not by a cashier', async () => {
    const { merchantId } = payments.merchant;
    const manager = await signIn(payments.tools, { merchantId, role: 'manager' });
    const cashier = await signIn(payments.tools, { merchantId, role: 'cashier' });
    const body = { accentColour: '#7A3E1D', supportEmail: 'help@shop.example', ownerEmail: null };
    const refused = await call(dashboard.changeSettings, { body, headers: cashier.headers });
    expect([refused.status, refused.body.name]).toEqual([403, 'NOT_PERMITTED']);
    const changed = await call(dashboard.changeSettings, { body, headers: manager.headers });
    expect(changed.body).toMatchObject({
      businessName: 'Corner Coffee',
      accentColour: '#7a3e1d',
      supportEmail: 'help@shop.example',
      ownerEmail: null,
      tips: null,
      switches: { cardsEnabled: true },
    });
  });

  test('of the expiry are those of requests that name none', async () => {
    const lifeOf = async (body: object = {}) => {
      const { createdAt, expiresAt } = await timelineOf(await payments.created(body));
      return Date.parse(expiresAt) - Date.parse(createdAt);
    };
    expect(await lifeOf()).toBe(180_000);
    const hour = 3_600_000;
    const changed = await call(dashboard.changeExpiry, { body: { expiresInMs: hour } });
    expect(changed.body.expiresInMs).toBe(hour);
    expect([await lifeOf(), await lifeOf({ expiresIn: 60_000 })]).toEqual([hour, 60_000]);
    const wrong = await call(dashboard.changeExpiry, { body: { expiresInMs: 59_999 } });
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'expiresInMs']);
    await call(dashboard.changeExpiry, { body: { expiresInMs: null } });
    expect(await lifeOf()).toBe(180_000);
  });

  test('of tips and of the limit are read again as they were set', async () => {
    const tips = { enabled: true, tipType: 'FIXED', options: [1, 2.5, 5], allowCustom: false };
    expect((await call(dashboard.changeTips, { body: tips })).body).toEqual(tips);
    const parts = { taxPercentage: 20, servicePercentage: 12.5 };
    expect((await call(dashboard.changeAmountParts, { body: parts })).body).toEqual(parts);
    const limited = await call(dashboard.changeLimits, { body: { paymentLimit: 500 } });
    expect(limited.body).toMatchObject({
      tips,
      amountParts: parts,
      paymentLimit: 500,
      paymentLimitMax: 15_000,
    });
    const above = await call(dashboard.changeLimits, { body: { paymentLimit: 15_000.01 } });
    expect([above.status, above.body.errors[0].field]).toEqual([400, 'paymentLimit']);
  });
});

describe('stores', () => {
  const account = { sortCode: '089999', accountNumber: '66374958', name: 'Harbour Ltd' };
  const listed = async () => (await call(dashboard.listOwnStores)).body.data;
  const made = async (locationName: string): Promise<{ storeId: string }> =>
    (await call(dashboard.createStore, { body: { locationName, city: 'Leeds' } })).body;

  test('are paid to the account of the primary one, and say its last digits only', async () => {
    const params = await made(' Harbour ');
    const [own, primary] = await listed();
    expect(own).toMatchObject({ ...params, locationName: 'Harbour', isPrimary: false });
    expect(own.bankAccount).toEqual(primary.bankAccount);
    expect(own.bankAccount.accountNumber).toMatch(/^••••\d{4}$/);
    const body = { locationName: 'Quay', addressLine1: '1 Quay' };
    expect((await call(dashboard.changeStore, { params, body })).status).toBe(200);
    expect((await listed())[0]).toMatchObject({ ...body, city: 'Leeds', isEnabled: true });
  });

  test('that are archived take no new request, and are paid for those they have', async () => {
    const params = await made('Market');
    const id = await payments.created(params);
    const archived = await call(dashboard.changeStore, { params, body: { isEnabled: false } });
    expect(archived.status).toBe(200);
    expect((await payments.create(params)).body.errors[0].field).toBe('storeId');
    const payee = await payeeFor(payments.tools, payments.sandbox, params.storeId);
    expect(payee.store).toMatchObject(params);
    expect((await payments.status(id)).status).toBe(200);
    await call(dashboard.changeStore, { params, body: { isEnabled: true } });
    expect((await payments.create(params)).status).toBe(200);
    const primary = (await listed()).find(({ isPrimary }: { isPrimary: boolean }) => isPrimary);
    const refused = await call(dashboard.changeStore, {
      params: { storeId: primary.storeId },
      body: { isEnabled: false },
    });
    expect([refused.status, refused.body.name]).toEqual([409, 'CONFLICT']);
  });

  test('get another account from an owner once, which is recorded and mailed', async () => {
    const params = await made('Arcade');
    const { merchantId } = payments.merchant;
    const manager = await signIn(payments.tools, { merchantId, role: 'manager' });
    const set = (body: object, sent: object = {}) =>
      call(dashboard.setStoreAccount, { params, body, ...sent });
    const refused = await set(account, { headers: manager.headers });
    expect([refused.status, refused.body.name]).toEqual([403, 'NOT_PERMITTED']);
    const mistyped = await set({ ...account, accountNumber: '66374959' });
    expect([mistyped.status, mistyped.body.errors[0].field]).toEqual([400, 'accountNumber']);
    await call(dashboard.changeSettings, { body: { ownerEmail: 'Office@shop.example' } });
    const replies = await Promise.all([set(account), set(account), set(account)]);
    expect(replies.map(({ body }) => body.isChanged).sort()).toEqual([false, false, true]);
    expect((await listed())[0].bankAccount).toEqual({
      name: 'Harbour Ltd',
      sortCode: '••••99',
      accountNumber: '••••4958',
      changedAt: expect.any(String),
      changedBy: 'Ada Lovelace',
    });
    expect(await payments.count('store_account_change')).toBe(1);
    const mails = (await payments.request('GET', '/api/webhook/mails')).body;
    expect(mails.map(({ to }: { to: string }) => to).sort()).toEqual(
      [owner.email, 'office@shop.example'].sort(),
    );
    expect(mails[0].text).toContain('the store Arcade (sandbox)');
    expect(mails[0].text).not.toContain('66374958');
  });

  test('of another merchant are not there', async () => {
    const params = await made('Mine');
    const { merchantId } = await payments.newMerchant();
    const { headers } = await signIn(payments.tools, { merchantId });
    const sent = { params, headers, merchantId };
    const body = { isEnabled: false };
    expect((await call(dashboard.changeStore, { ...sent, body })).status).toBe(404);
    const stolen = await call(dashboard.setStoreAccount, { ...sent, body: account });
    expect(stolen.status).toBe(404);
    expect((await listed())[0].isEnabled).toBe(true);
  });
});
