import type { Page } from 'playwright-core';
import { signIn } from '../harness/dashboard/sign-in.ts';
import type { Sandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

const hour = 3_600_000;
const patience = { withinMs: 60_000, everyMs: 100 };

const orders = [
  { orderId: 'INV-1041', customerId: 'ada', amount: 12.5, notes: 'Two flat whites' },
  { orderId: 'INV-1042', customerId: 'grace', amount: 1_240, notes: 'Catering' },
  { orderId: 'INV-1043', customerId: 'alan', amount: 8.2, outcome: 'FAILED' },
  { orderId: 'INV-1044', customerId: 'ada', amount: 45.75 },
  { orderId: 'INV-1045', customerId: 'mary', amount: 310.4, outcome: 'CANCELLED' },
  { orderId: 'INV-1046', customerId: 'grace', amount: 27.99, outcome: 'PENDING' },
] as const;

export type Trade = {
  readonly paymentIds: readonly string[];
  readonly customerId: string;
  readonly saleId: string;
  readonly merchantId: string;
  readonly bankLinkId: string;
  readonly bankAccountId: string;
};

/** Payments in several states, a refund and a customer, through the API. */
export const trade = async (sandbox: Sandbox): Promise<Trade> => {
  const { request } = sandbox;
  const paymentIds: string[] = [];
  for (const { outcome, ...order } of orders.map((each) => ({ outcome: 'COMPLETED', ...each }))) {
    const id = await create(request, order);
    paymentIds.push(id);
    const path = `/api/sandbox/payment-requests/${id}/pay`;
    const paid = await request('POST', path, { body: { outcome } });
    if (paid.status !== 200) throw new Error(JSON.stringify(paid.body));
  }
  const [first = ''] = paymentIds;
  await waitUntil(async () => {
    const { body } = await request('GET', `/api/payments/v1/payment-status/${first}`);
    if (body.status !== 'COMPLETED') throw new Error(body.status);
    return true;
  }, patience);
  const customer = await request('POST', '/api/customers', {
    body: { fullName: 'Grace Hopper', email: 'grace@example.com', city: 'Leeds' },
  });
  return {
    paymentIds,
    customerId: customer.body.id,
    saleId: await sell(sandbox),
    merchantId: sandbox.merchant.merchantId,
    ...(await linkBank(sandbox)),
  };
};

/** Charges of the customer's saved card that hold their amounts, in pounds, until they are captured. */
export const hold = async (
  { request }: Sandbox,
  customerId: string,
  amounts: readonly number[],
): Promise<readonly string[]> => {
  const first = { orderId: 'club', customerId: 'club', amount: 12, atoaCustomerId: customerId };
  const saving = { ...first, savePaymentMethod: true, paymentMethod: ['CARD'] };
  const id = await create(request, saving);
  // A card is saved only if the bank of its holder asked the payer.
  const body = { method: 'CARD', cardNumber: '4000000000000127' };
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });
  const cards = await request('GET', `/api/customers/${customerId}/cards`);
  const charge = { customerId, paymentMethodId: cards.body[0].id, captureType: 'MANUAL_CAPTURE' };
  const held: string[] = [];
  for (const amount of amounts) {
    const of = { ...charge, amount, orderId: `held-${amount}` };
    const charged = await request('POST', '/api/payments/card/process-payment', { body: of });
    if (charged.status !== 200) throw new Error(JSON.stringify(charged.body));
    held.push(charged.body.paymentRequestId);
  }
  return held;
};

/** Accounts of a customer at a bank. */
const linkBank = async ({ request }: Sandbox) => {
  const redirectUrl = 'http://127.0.0.1/linked';
  const begun = await request('POST', '/api/bank/auth/initiate', { body: { redirectUrl } });
  const bankLinkId: string = begun.body.accountAuthId;
  const path = `/api/sandbox/bank/auth/${bankLinkId}/link`;
  const linked = await request('POST', path, { body: { institutionId: 'mock-sandbox-v1' } });
  if (linked.status !== 200) throw new Error(JSON.stringify(linked.body));
  const { body } = await request('GET', `/api/bank/${bankLinkId}/accounts`);
  return { bankLinkId, bankAccountId: body[0].accountId as string };
};

/** At the till, by a cashier. */
const sell = async ({ request, tools, merchant, url }: Sandbox): Promise<string> => {
  const { merchantId } = merchant;
  const { headers } = await signIn(tools, { merchantId, role: 'cashier', origin: url });
  const path = `/dashboard/api/merchants/${merchantId}/sandbox/till/sales`;
  const body = { amount: 7.4, tillName: 'Till 1', notes: 'Two teas' };
  const sold = await request('POST', path, { secret: null, headers, body });
  if (sold.status !== 200) throw new Error(JSON.stringify(sold.body));
  return sold.body.paymentRequestId;
};

const create = async (request: Sandbox['request'], order: object): Promise<string> => {
  const body = { ...order, expiresIn: hour };
  const created = await request('POST', '/api/payments/process-payment', { body });
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  return created.body.paymentRequestId;
};

/** Of payment requests, as home says it once that part is opened. */
export const countOpened = async (page: Page): Promise<number> => {
  await page.getByText('Conversion and failures').click();
  const said = await page.getByText(/^The page was opened for/).textContent();
  return Number(/\d+/.exec(said ?? '')?.[0]);
};
