import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resumeMerchant, suspendMerchant } from '../../../service/src/modules/merchants/index.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());
beforeEach(() => setCards(true));

const setCards = async (cardsEnabled: boolean): Promise<void> => {
  const set = await journey.sandbox.request('POST', '/api/sandbox/switches', {
    body: { cardsEnabled },
  });
  expect(set.status).toBe(200);
};

const cardOnly = { paymentMethod: ['CARD'], redirectUrl: 'https://shop.example/basket' };
const bank = 'mock-sandbox-v1';

const pageOf = async (id: string, more = ''): Promise<string> => {
  const { text } = await journey.payer.visit(`/pay?paymentRequestId=${id}${more}`);
  return text.slice(text.indexOf('<body')).replaceAll(/<\/?bdi>/g, '');
};

const drive = (id: string, body: object) =>
  journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });

test('explains that cards are not available and names the contact', async () => {
  const id = await journey.create({ ...cardOnly, enableTips: true, orderId: 'order-77' });
  expect(await pageOf(id)).toContain('Pay by card');
  await setCards(false);
  for (const more of ['', '&way=card', '&again=1', `&institutionId=${bank}`]) {
    const page = await pageOf(id, more);
    expect(page).toContain('This payment cannot be made right now');
    expect(page).toContain('Corner Coffee only takes cards for this payment');
    expect(page).toContain('Please contact Corner Coffee');
    expect(page).toContain('No money has left your account.');
    expect(page).toContain('order-77');
    expect(page).toContain('Back to Corner Coffee');
    expect(page).not.toMatch(/Choose your bank|\/pay\/start|More banks/);
  }
  await setCards(true);
  expect(await pageOf(id)).toContain('by card</span>');
});

test('offers no retry by card after cards were switched off', async () => {
  const id = await journey.create(cardOnly);
  const declined = await drive(id, { method: 'CARD', cardNumber: '4000000000000002' });
  expect(declined.body.status).toBe('FAILED');
  expect(await pageOf(id)).toContain('Try again by card');
  await setCards(false);
  const page = await pageOf(id);
  expect(page).toContain('Contact Corner Coffee');
  expect(page).not.toContain('Try again by card');
  const again = await pageOf(id, '&again=1');
  expect(again).toContain('This payment cannot be made right now');
  expect(again).toContain('Your card was declined.');
});

test('a payer at the card page may continue or choose another method', async () => {
  const id = await journey.create(cardOnly);
  const left = { method: 'CARD', cardNumber: '4000000000000127', challenge: 'ABANDON' };
  expect((await drive(id, left)).status).toBe(200);
  await setCards(false);
  const page = await pageOf(id);
  expect(page).toContain('Your card payment is not finished');
  const written = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const form = { paymentRequestId: id, formToken: written('formToken'), way: 'card' };
  const on = await journey.payer.visit('/pay/start', { ...form, resume: written('resume') });
  expect(on.location).toContain('/cards/');
  const { formToken, paymentRequestId } = form;
  const paymentIdempotencyId = written('paymentIdempotencyId');
  const other = { paymentRequestId, formToken, paymentIdempotencyId };
  await journey.payer.visit('/pay/other-way', other);
  expect(await pageOf(id, '&again=1')).toContain('This payment cannot be made right now');
});

test('client programs see the same methods and cannot start an excluded bank', async () => {
  const id = await journey.create(cardOnly);
  const call = (path: string, body: object) =>
    journey.sandbox.request('POST', `/api/payments/${path}`, { secret: null, body });
  const source = { paymentRequestSource: { paymentRequestId: id } };
  const details = () => call('get-payment-details', { data: id });
  expect((await details()).body).toMatchObject({
    paymentMethod: 'CARD',
    options: { cardPaymentEnabled: true },
  });
  const byBank = await call('v1/secure-payment-auth', { institutionId: bank, ...source });
  expect(byBank).toMatchObject({
    status: 400,
    body: { message: 'This payment request does not offer PAY_BY_BANK.' },
  });
  expect((await drive(id, {})).status).toBe(400);
  expect(await journey.attemptsOf(id)).toEqual([]);
  const headers = { origin: 'http://localhost:5173' };
  const inBrowser = await journey.sandbox.request('POST', '/api/payments/get-payment-details', {
    secret: null,
    headers,
    body: { data: id },
  });
  expect(inBrowser).toMatchObject({
    status: 200,
    body: { paymentMethod: 'CARD', options: { cardPaymentEnabled: true } },
  });
  await setCards(false);
  expect((await details()).body.options).toEqual({ cardPaymentEnabled: false });
  const byCard = await call('v1/secure-payment-auth', { institutionId: 'rapyd', ...source });
  expect(byCard).toMatchObject({ status: 403, body: { name: 'NOT_ENABLED' } });
});

test('of a suspended merchant no payment starts, and what began before is finished', async () => {
  const { tools, tenant } = journey.sandbox;
  const [id, begun, paid] = await Promise.all([
    journey.create({ orderId: 'order-78' }),
    journey.create(),
    journey.create(),
  ]);
  await drive(paid, {});
  await journey.becomes(paid, 'COMPLETED AC[SC]C');
  const form = { paymentRequestId: id, formToken: '', institutionId: bank };
  const review = await pageOf(id, `&institutionId=${bank}`);
  form.formToken = /name="formToken" value="([^"]*)"/.exec(review)?.[1] ?? '';
  const left = await journey.sandbox.request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: { institutionId: bank, paymentRequestSource: { paymentRequestId: begun } },
  });
  const refund = (amount: number) =>
    journey.sandbox.request('POST', '/api/refund', { body: { paymentRequestId: paid, amount } });
  await suspendMerchant(tools, tenant, 'Nothing was delivered.', { name: 'Ada' });
  for (const more of ['', '&way=card', '&again=1', `&institutionId=${bank}`]) {
    const page = await pageOf(id, more);
    expect(page).toContain('Corner Coffee is not taking payments at the moment');
    expect(page).toContain('No money has left your account.');
    expect(page).toContain('order-78');
    expect(page).not.toMatch(/Nothing was delivered|\/pay\/start/);
  }
  // The payer had the review open, and a program the address of the payment.
  const posted = await journey.payer.visit('/pay/start', form);
  expect(posted.location).toContain(`/pay?paymentRequestId=${id}`);
  for (const institutionId of [bank, 'rapyd']) {
    const started = await journey.sandbox.request('POST', '/api/payments/v1/secure-payment-auth', {
      secret: null,
      body: { institutionId, paymentRequestSource: { paymentRequestId: id } },
    });
    expect(started).toMatchObject({ status: 403, body: { name: 'MERCHANT_SUSPENDED' } });
    expect(started.body.message).toContain('no money was taken');
  }
  const details = await journey.sandbox.request('POST', '/api/payments/get-payment-details', {
    secret: null,
    body: { data: id },
  });
  expect(details.body.name).toBe('MERCHANT_SUSPENDED');
  expect((await drive(id, {})).body.name).toBe('MERCHANT_SUSPENDED');
  expect(await journey.attemptsOf(id)).toEqual([]);
  // The payer of the other one is at the bank.
  expect(await pageOf(begun)).not.toContain('No money has left your account.');
  const back = await journey.payer.approve(left.body.authorisationUrl);
  if (back) await journey.payer.comeBack(back);
  await journey.becomes(begun, 'COMPLETED AC[SC]C');
  expect((await refund(2.5)).status).toBe(200);
  await resumeMerchant(tools, tenant, { name: 'Ada' });
  expect((await drive(id, {})).body.status).toBe('COMPLETED');
});
