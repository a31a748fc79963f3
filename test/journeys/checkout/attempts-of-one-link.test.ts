import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pence } from '../../../service/src/kernel/pence.ts';
import { startAtBank } from '../../../service/src/modules/payments/test/submit.ts';
import { type CardPayments, cardPayments } from '../../harness/card-payments.ts';
import { compareCardBooks } from '../../harness/invariants/compare-card-books.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const timeout = 90_000;
const patience = { withinMs: 30_000 };
const minute = 60_000;
const approvedCard = { cardNumber: '4242424242424242' };
const bank = 'mock-sandbox-v1';

let journey: Journey;
let cards: CardPayments;

beforeAll(async () => {
  journey = await openJourney();
  cards = cardPayments(journey.sandbox);
});
afterAll(() => journey.close());

const request = (method: string, path: string, sent: object = {}) =>
  journey.sandbox.request(method, path, sent);

/** As the page or app of a merchant starts it: every start is another payer. */
const startByClient = (id: string, more: object = {}) =>
  request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: { institutionId: bank, paymentRequestSource: { paymentRequestId: id }, ...more },
  });
const byCard = { institutionId: 'rapyd', transactionType: 'CARD', deviceOrigin: 'SDK_MOBILE_APP' };
const share = (amount: number) => ({ amount: { amount } });

const addressOf = async (id: string, more: object = {}): Promise<string> => {
  const { status, body } = await startByClient(id, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.authorisationUrl;
};
/** As often as a link holder likes; no bank hears of these. */
const startOften = async (id: string, times: number): Promise<void> => {
  const { tools, tenant } = journey.sandbox;
  for (let start = 0; start < times; start += 1)
    await startAtBank(tools, tenant, id, { institutionId: bank, amountPence: pence(1_250) });
};
const approve = async (address: string) =>
  journey.payer.comeBack((await journey.payer.approve(address)) ?? {});
const payOnPage = (url: string) => journey.sandbox.rails.payerRail?.payByCard(url, approvedCard);
const drive = (id: string, body: object = {}) =>
  request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });
const cancel = (id: string) => request('POST', `/api/payment-request/cancel/${id}`);
const reasons = async (id: string) =>
  (await journey.attemptsOf(id)).map((attempt) => attempt.ended_reason ?? attempt.status);
const statusOf = (id: string) => cards.status(id);

describe('a refused cancellation', { timeout }, () => {
  test('leaves the card page of another payer open', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    const page = await addressOf(id, { ...byCard, ...share(10) });
    await drive(id, { amount: 10 });
    expect((await cancel(id)).status).toBe(400);
    expect((await journey.attemptsOf(id))[0]).toMatchObject({ step: 'AT_PROCESSOR' });
    await payOnPage(page);
    await waitUntil(async () => (await statusOf(id)).paidAmount === 20, patience);
  });

  longTest('leaves it open while a bank works on a share', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    await addressOf(id, { ...byCard, ...share(10) });
    await drive(id, { amount: 10, outcome: 'PENDING' });
    expect((await cancel(id)).status).toBe(409);
    expect((await journey.attemptsOf(id))[0]).toMatchObject({ step: 'AT_PROCESSOR' });
  });
});

describe('what counts as a try', { timeout }, () => {
  test('with allowRetry false an unfinished start is none', async () => {
    const id = await journey.create({ allowRetry: false });
    for (let time = 0; time < 3; time += 1) await addressOf(id);
    await addressOf(id, byCard);
    expect(await drive(id)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });

  test('with allowRetry false one that was declined is the last', async () => {
    const id = await journey.create({ allowRetry: false });
    const open = await addressOf(id);
    await drive(id, { outcome: 'FAILED' });
    expect((await startByClient(id)).status).toBe(409);
    await approve(open);
    expect((await statusOf(id)).status).toBe('FAILED');
    expect(await journey.payer.readPage(id)).toMatch(/no money/i);
  });

  test('fifty starts within ten minutes are enough for the moment, and sixty end nothing', async () => {
    const id = await journey.create();
    await startOften(id, 50);
    const refused = await startByClient(id);
    expect(refused).toMatchObject({ status: 429, body: { name: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await drive(id)).toMatchObject({ status: 429, body: { name: 'RATE_LIMITED' } });
    if (!isLongRun) return;
    await journey.advance(11 * minute);
    await startOften(id, 10);
    expect(await drive(id)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });
});

describe('unfinished shares', { timeout }, () => {
  test('block no other payer, by bank or by card', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    const unfinished = await addressOf(id);
    await addressOf(id, byCard);
    expect(await drive(id)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    await approve(unfinished);
    expect(await reasons(id)).toMatchObject(['SHARE_TAKEN', 'AWAITING_AUTHORIZATION', 'COMPLETED']);
    expect(await statusOf(id)).toMatchObject({ status: 'COMPLETED', paidAmount: 30 });
  });

  test('what is left leaves out what others are paying, where something remains', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    const first = await addressOf(id, share(10));
    const rest = await addressOf(id);
    await approve(first);
    await approve(rest);
    await journey.becomes(id, 'COMPLETED .*');
    const paid = (await statusOf(id)).transactionDetails.map(
      (each: { paidAmount: number }) => each.paidAmount,
    );
    expect(paid).toEqual([10, 20]);
  });

  test('a card page that is paid after the share was taken is refunded', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    const page = await addressOf(id, byCard);
    await drive(id);
    await payOnPage(page);
    await waitUntil(async () => (await reasons(id))[0] === 'REFUNDED_LATE', patience);
    expect(await statusOf(id)).toMatchObject({ status: 'COMPLETED', paidAmount: 30 });
  });
});

describe('a new link for an approval that is under way', { timeout }, () => {
  longTest('the earlier one may finish', async () => {
    const id = await journey.create();
    const earlier = await addressOf(id);
    const later = await addressOf(id);
    await approve(earlier);
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await reasons(id)).toEqual(['COMPLETED', 'SUPERSEDED']);
    await approve(later);
    expect(await journey.payer.readPage(id)).toContain('Payment complete');
  });

  test('until the payer has approved the later one', async () => {
    const id = await journey.create();
    const earlier = await addressOf(id);
    await approve(await addressOf(id));
    await approve(earlier);
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await reasons(id)).toEqual(['SUPERSEDED', 'COMPLETED']);
  });

  longTest('also where a page has opened a card page meanwhile, which is closed', async () => {
    const id = await journey.create();
    const earlier = await addressOf(id);
    await addressOf(id, byCard);
    await approve(earlier);
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await reasons(id)).toEqual(['COMPLETED', 'SUPERSEDED']);
  });

  test('the page says that the earlier one may be finished at the bank', async () => {
    const id = await journey.create();
    await addressOf(id);
    await drive(id, { outcome: 'CANCELLED' });
    expect((await statusOf(id)).status).toBe('AWAITING_AUTHORIZATION');
    const page = await journey.payer.readPage(id);
    expect(page).toContain('This payment was started on another device');
    expect(page).toContain('It is waiting for approval at Mock');
  });
});

describe('an unfinished card page', { timeout }, () => {
  test('paid while the bank holds the money of the same request goes back', async () => {
    const id = await journey.create();
    const [atBank, page] = [await addressOf(id), await addressOf(id, byCard)];
    // The processor does not answer, so the page stays open.
    await cards.control.fault('cards:session', 'down', { times: 100 });
    const parameters = await journey.payer.approve(atBank, 'blocked');
    await journey.payer.comeBack(parameters ?? {});
    await waitUntil(async () => (await reasons(id)).includes('BLOCKED'), patience);
    await cards.control.noFaults();
    await payOnPage(page);
    await waitUntil(async () => (await reasons(id)).includes('REFUNDED_LATE'), patience);
    const [line] = await cards.control.ofRequest(id);
    expect(line).toMatchObject({ captured: 1250, refunded: 1250 });
  });

  test('the request expires on time', async () => {
    const id = await journey.create({ expiresIn: 3 * minute });
    await addressOf(id, byCard);
    await journey.advance(3 * minute + 1_000);
    await journey.becomes(id, 'EXPIRED.*');
    expect(await journey.eventsOf(id)).toEqual(['EXPIRED']);
    expect(await reasons(id)).toEqual(['REQUEST_EXPIRED']);
  });
});

describe('a split bill as its clients see it', { timeout }, () => {
  test('no reader is shown the paid share of another payer', async () => {
    const id = await journey.create({ amount: 30, splitBill: true });
    const paid = await drive(id, { amount: 10 });
    expect(paid.status).toBe(200);
    const open = { secret: null };
    const flat = (await request('GET', `/api/payments/payment-status/${id}?type=request`, open))
      .body;
    expect(flat).toMatchObject({ status: 'PAYMENT_NOT_INITIATED', paymentIdempotencyId: '' });
    expect(flat).toMatchObject({ statusDetails: null, paidAmount: 20 });
    const path = `/api/sdk-payment/payment-request/status/${id}`;
    const sdk = (await request('GET', path, open)).body;
    expect(sdk).toMatchObject({ status: 'PAYMENT_NOT_INITIATED', transactionDetails: [] });
    expect(await statusOf(id)).toMatchObject({ status: 'PENDING', paidAmount: 10 });
    await drive(id);
    expect((await request('GET', path, open)).body).toMatchObject({ status: 'COMPLETED' });
  });

  longTest('part paid by card, then expired: the paid share stands', async () => {
    const id = await journey.create({ amount: 30, splitBill: true, expiresIn: 3 * minute });
    await drive(id, { method: 'CARD', ...approvedCard, amount: 10 });
    await journey.advance(4 * minute);
    await journey.becomes(id, 'EXPIRED.*');
    const body = await statusOf(id);
    expect(body).toMatchObject({ status: 'EXPIRED', paidAmount: 10 });
    expect(body.transactionDetails).toMatchObject([{ paidAmount: 10 }]);
  });
});

test('the books of both sides agree and every invariant holds', { timeout }, async () => {
  await waitUntil(async () => {
    const wrong = await compareCardBooks(journey.outside);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
  await journey.allAgree({ isQuiet: true, mayStayPending: true });
});
