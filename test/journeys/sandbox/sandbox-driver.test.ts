import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const order = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };

const create = async (more: object = {}): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { ...order, ...more },
  });
  expect(created.status).toBe(200);
  return created.body.paymentRequestId;
};

const pay = (id: string, body: object = {}) =>
  sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });

describe('the sandbox driver pays through the real flow', () => {
  test('completes by default', async () => {
    const id = await create();
    const paid = await pay(id);
    expect(paid.body).toMatchObject({ status: 'COMPLETED', paidAmount: 12.5, orderId: 'order-1' });
    const status = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
    expect(status.body.transactionDetails[0].statusDetails.isoStatus.code).toMatch(/ACS[PC]/);
  });

  test('fails, cancels or stays pending as requested', async () => {
    const failed = await pay(await create(), { outcome: 'FAILED' });
    expect(failed.body.status).toBe('FAILED');
    expect(failed.body.transactionDetails[0].errorDescription).toMatch(/money|funds|enough/i);
    const cancelled = await pay(await create(), { outcome: 'CANCELLED' });
    expect(cancelled.body.status).toBe('PAYMENT_NOT_INITIATED');
    const pending = await pay(await create(), { outcome: 'PENDING' });
    expect(pending.body.status).toBe('PENDING');
  });
});
