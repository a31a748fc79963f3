import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CardPayments, cardPayments } from '../../../../../test/harness/card-payments.ts';
import { brokenInvariants } from '../../../../../test/harness/check-invariants.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
});
afterAll(async () => {
  expect(await brokenInvariants(sandbox.databaseUrl)).toEqual([]);
  await sandbox.close();
});

describe('a charge of a saved card', () => {
  test('is PENDING, then COMPLETED, and the processor has booked it once', async () => {
    const reply = await cards.charge(card, { notes: 'thanks' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      paymentRequestId: expect.any(String),
      status: 'PENDING',
      amount: 12.5,
      currency: 'GBP',
      orderId: 'order-1',
      customerId: card.customerId,
      paymentMethodId: card.paymentMethodId,
      captureType: 'AUTO_CAPTURE',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const id = reply.body.paymentRequestId;
    await cards.reaches(id, 'COMPLETED');
    const [line, ...more] = await cards.control.ofRequest(id);
    expect(line).toMatchObject({ status: 'succeeded', captured: 1250 });
    expect(more).toEqual([]);
  });
});
