import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { pageOutcomes } from './page-outcomes.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([openSandbox(), openReceiver()]);
  const made = await sandbox.request('POST', '/api/webhook/merchant', {
    body: { url: receiver.url, event: 'PAYMENTS_STATUS' },
  });
  expect(made.status).toBe(200);
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

const create = async (): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5, expiresIn: 900_000 },
  });
  expect(created.status).toBe(200);
  return created.body.paymentRequestId;
};

const eventsOf = (id: string) =>
  receiver.received.filter(({ json }) => json.paymentRequestId === id).map(({ json }) => json);

describe('a test card number shows its outcome in API and webhook', () => {
  // simulator/src/cards/magic-cards.test.ts has every number at the processor.
  const some = pageOutcomes.filter((_, at) => isLongRun || at % 4 === 0);
  // The report shows the last four digits only.
  const rows = some.map(([number, outcome]) => [number.slice(-4), outcome, number] as const);
  test.each(rows)('card ending in %s: %s', async (_lastFour, outcome, cardNumber) => {
    const id = await create();
    const paid = await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
      body: { method: 'CARD', cardNumber },
    });
    expect(paid.status).toBe(200);
    if (outcome === 'CANCELLED') {
      // A payer who leaves changes nothing visible: the request waits for another try.
      expect(paid.body.status).toBe('PAYMENT_NOT_INITIATED');
      expect(eventsOf(id)).toEqual([]);
      return;
    }
    const [details] = paid.body.transactionDetails;
    expect(details.statusDetails.status).toBe(outcome);
    expect(details.cardPaymentDetails).toMatchObject({
      captureType: 'AUTO_CAPTURE',
      metadata: { isMitPayment: false },
    });
    expect(paid.body.status).toBe(outcome);
    expect(paid.body.paidAmount).toBe(12.5);
    if (outcome === 'FAILED') expect(details.errorDescription).toMatch(/\w+ \w+/);
    const [event] = await waitUntil(() => {
      const bodies = eventsOf(id);
      return bodies.length > 0 && bodies;
    });
    expect(event.status).toBe(outcome);
  });
});
