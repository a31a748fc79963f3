import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pence } from '../../service/src/kernel/pence.ts';
import { setCardAccount } from '../../service/src/modules/cards/index.ts';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const create = async (more: object = {}, secret = sandbox.secret): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    secret,
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5, ...more },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  return created.body.paymentRequestId;
};
const boatYard = { businessName: 'Boat Yard', bankAccounts: testBankAccounts };
const send = (method: string, path: string, body: object) =>
  sandbox.request(method, path, { secret: null, body });
const start = (id: string, more: object) =>
  send('POST', '/api/payments/v1/secure-payment-auth', {
    merchantId: 'ignored',
    amount: { amount: 0.01, currency: 'GBP' },
    features: ['CREATE_DOMESTIC_SINGLE_PAYMENT'],
    paymentRequestSource: { paymentRequestSourcetype: 3, paymentRequestId: id },
    ...more,
  });

describe('secure-payment-auth by card', () => {
  test('leads to the card page and back, also in the web view of an app', async () => {
    const id = await create();
    const card = {
      institutionId: 'rapyd',
      transactionType: 'CARD',
      deviceOrigin: 'SDK_MOBILE_APP',
    };
    const details = await send('POST', '/api/payments/get-payment-details', { data: id });
    expect(details.body.options).toEqual({ cardPaymentEnabled: true });
    const { status, body } = await start(id, card);
    expect(status).toBe(200);
    const { paymentIdempotencyId, cardCheckoutId } = body;
    const visit = (path: string) => fetch(`${sandbox.url}${path}`, { redirect: 'manual' });
    const opened = await visit(`/card-checkout?checkoutId=${cardCheckoutId}&businessName=Corner`);
    expect(opened.headers.get('location')).toBe(body.authorisationUrl);
    const payer = sandbox.rails.payerRail;
    const back = await payer?.payByCard(body.authorisationUrl, { cardNumber: '4242424242424242' });
    if (back?.kind !== 'RETURNED') throw new Error(back?.kind);
    const end = await fetch(back.url, { redirect: 'manual' });
    expect(end.headers.get('location')).toBe(
      `/card-checkout-redirect?event=paymentSuccessful&paymentIdempotencyId=${paymentIdempotencyId}`,
    );
    expect((await visit(end.headers.get('location') ?? '')).status).toBe(200);
    const closed = await visit(`/card-checkout?checkoutId=${cardCheckoutId}`);
    expect(closed.headers.get('location')).toContain('event=cardCheckoutClosed');
    const unknown = await visit('/card-checkout?checkoutId=ATOA0000000000000000000000000');
    expect(unknown.headers.get('location')).toContain('event=paymentSystemInitializationFailed');
  });

  const fromBrowser = (id: string) =>
    sandbox.request('POST', '/api/payments/get-payment-details', {
      secret: null,
      headers: { origin: 'http://localhost:5173' },
      body: { data: id },
    });
  const inDialog = { institutionId: 'rapyd', transactionType: 'CARD', deviceOrigin: 'SDK_DESKTOP' };

  test("shows a dialog the processor's fields in a page of ours", async () => {
    const id = await create({ paymentMethod: ['CARD'] });
    expect((await fromBrowser(id)).body).toMatchObject({
      paymentMethod: 'CARD',
      options: { cardPaymentEnabled: true },
    });
    const { body } = await start(id, {
      ...inDialog,
      deviceOrigin: 'SDK_MOBILE',
      businessId: 'b-1',
    });
    expect(body.authorisationUrl).toBe(
      `${sandbox.url}/card-checkout?checkoutId=${body.cardCheckoutId}`,
    );
    const shown = await fetch(body.authorisationUrl);
    expect(await shown.text()).toContain('data-card-fields');
    // Another start, as when the dialog is opened again, ends the form of the first.
    expect((await start(id, inDialog)).status).toBe(200);
    const ended = await fetch(body.authorisationUrl, { redirect: 'manual' });
    expect(ended.headers.get('location')).toContain('event=cardCheckoutClosed');
  });

  test('tells a dialog that cards are not enabled where the account has no fields', async () => {
    const { merchantId, secrets } = await createMerchant(sandbox.tools, boatYard);
    const webhookSecret = 'whsec_of_this_merchant';
    const own = { accountKey: 'acct_1', secretKey: 'sk_test_of_this_merchant', webhookSecret };
    await setCardAccount(sandbox.tools, { merchantId, environment: 'SANDBOX' }, own);
    const id = await create({}, secrets.SANDBOX.secret);
    expect((await fromBrowser(id)).body).toMatchObject({ options: { cardPaymentEnabled: false } });
    const onlyCards = await create({ paymentMethod: ['CARD'] }, secrets.SANDBOX.secret);
    for (const refused of [await start(onlyCards, inDialog), await fromBrowser(onlyCards)]) {
      expect(refused).toMatchObject({ status: 403, body: { name: 'NOT_ENABLED' } });
      expect(refused.body.message).toContain(`/pay?paymentRequestId=${onlyCards}`);
    }
  });

  test('rejects cards where they are off', async () => {
    const card = { institutionId: 'rapyd', transactionType: 'CARD' };
    const banksOnly = await create({ paymentMethod: ['PAY_BY_BANK'] });
    expect((await start(banksOnly, card)).status).toBe(400);
    const id = await create();
    const switchCards = (cardsEnabled: boolean) =>
      sandbox.request('POST', '/api/sandbox/switches', { body: { cardsEnabled } });
    await switchCards(false);
    expect((await start(id, card)).body.name).toBe('NOT_ENABLED');
    await switchCards(true);
  });
});

test('a link above the limit of every bank says on its page what they take', async () => {
  const { body: banks } = await sandbox.request('GET', '/api/institutions');
  const largest = Math.max(...banks.map((bank: Bank) => bank.transactionAmountLimit));
  const paymentLimitPence = pence(BigInt(largest + 1) * 100n);
  const { secrets } = await createMerchant(sandbox.tools, { ...boatYard, paymentLimitPence });
  const order = { amount: largest + 1, paymentMethod: ['PAY_BY_BANK'] };
  const id = await create(order, secrets.SANDBOX.secret);
  const page = await (await fetch(`${sandbox.url}/pay?paymentRequestId=${id}`)).text();
  const [note = ''] = /<div class="note note-warn">.*?<\/div>/s.exec(page) ?? [];
  expect(note).toContain('This amount is above the bank’s limit');
  expect(note).toContain(`£${largest.toLocaleString('en-GB')}.00`);
});

type Bank = { readonly transactionAmountLimit: number };

describe('the dialog of a web page', () => {
  const details = (data: string) =>
    send('POST', '/api/payments/get-payment-details?env=sandbox', { data });
  const byBank = { institutionId: 'mock-sandbox-v1', deviceOrigin: 'SDK_DESKTOP' };

  test('asks for what is left of a split bill', async () => {
    const id = await create({ splitBill: true, amount: 30 });
    const share = await start(id, { ...byBank, amount: { amount: 10 } });
    const back = await sandbox.rails.payerRail?.visitBank(share.body.authorisationUrl, 'approve');
    await fetch(`${sandbox.url}/bank-return?${new URLSearchParams(back)}`, { redirect: 'manual' });
    const left = await waitUntil(async () => {
      const { body } = await details(id);
      if (body.splitOutstandingAmount === 20) return body;
      throw new Error(JSON.stringify(body));
    });
    expect(left.amount).toEqual({ amount: 20, currency: 'GBP' });
  });

  test('says at once that there is no other try, and advises none', async () => {
    const id = await create({ allowRetry: false });
    const started = await start(id, byBank);
    const path = `/api/sandbox/payment-requests/${id}/pay`;
    await sandbox.request('POST', path, { body: { outcome: 'FAILED' } });
    const { paymentIdempotencyId } = started.body;
    const { body } = await sandbox.request(
      'GET',
      `/api/sdk-payment/status/${paymentIdempotencyId}`,
      {
        secret: null,
      },
    );
    expect(body.status).toBe('FAILED');
    expect(body.errorDescription).not.toMatch(/again/);
    for (const refused of [await details(id), await start(id, byBank)])
      expect(refused).toMatchObject({
        status: 409,
        body: { message: 'The business does not allow another try on this payment request.' },
      });
  });
});
