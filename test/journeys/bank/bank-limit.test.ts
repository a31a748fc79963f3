import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const pageOf = async (amount: number) => {
  const body = { customerId: 'customer-1', orderId: 'order-1', amount };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { body });
  return new URL(created.body.paymentUrl);
};

/** Like a form of another site: the page itself offers no such bank. */
const startAt = async (page: URL, institutionId: string): Promise<string> => {
  const review = await fetch(`${page}&institutionId=mock-sandbox-v1`);
  const formToken = /name="formToken" value="([^"]+)"/.exec(await review.text())?.[1] ?? '';
  expect(formToken).not.toBe('');
  const paymentRequestId = page.searchParams.get('paymentRequestId') ?? '';
  const answer = await fetch(new URL('/pay/start', page), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ paymentRequestId, institutionId, formToken }),
  });
  return answer.headers.get('location') ?? '';
};

test('does not start a payment above the limit of the bank', async () => {
  expect(await startAt(await pageOf(12_000), 'northfield-sandbox')).toMatch(/^\/pay\?/);
  expect(await startAt(await pageOf(10_000), 'northfield-sandbox')).toMatch(/^http/);
});
