import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pence } from '../../../service/src/kernel/pence.ts';
import {
  type ChargeableCard,
  findChargeableCard,
} from '../../../service/src/modules/cards/index.ts';
import { readDetachments } from '../../../service/src/modules/cards/test/read-detachments.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const newCustomer = async (): Promise<string> => {
  const body = { fullName: 'Ada Lovelace', phoneNumber: '7700900123' };
  return (await sandbox.request('POST', '/api/customers', { body })).body.id;
};
const cardsOf = async (customerId: string) =>
  (await sandbox.request('GET', `/api/customers/${customerId}/cards`)).body;

const statusOf = async (paymentRequestId: string) => {
  const path = `/api/payments/v1/payment-status/${paymentRequestId}?env=sandbox`;
  return (await sandbox.request('GET', path)).body;
};

/** A customer pays on the processor's page and saves the card. */
const payAndSave = async (customerId: string, cardNumber: string) => {
  const order = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: {
      ...order,
      atoaCustomerId: customerId,
      savePaymentMethod: true,
      paymentMethod: ['CARD'],
    },
  });
  expect(created.status).toBe(200);
  const path = `/api/sandbox/payment-requests/${created.body.paymentRequestId}/pay`;
  const paid = await sandbox.request('POST', path, { body: { method: 'CARD', cardNumber } });
  expect(paid.body.status).toBe('COMPLETED');
  return (await statusOf(created.body.paymentRequestId)).transactionDetails[0];
};

const charge = (customerId: string, paymentMethodId: string) =>
  sandbox.request('POST', '/api/payments/card/process-payment', {
    body: {
      customerId,
      paymentMethodId,
      captureType: 'AUTO_CAPTURE',
      amount: 5,
      orderId: 'order-2',
    },
  });
const ended = (paymentRequestId: string) =>
  waitUntil(async () => {
    const { status } = await statusOf(paymentRequestId);
    return status !== 'PENDING' && (status as string);
  });

const chargeableCardOf = async (customerId: string, cardId: string): Promise<ChargeableCard> => {
  const found = await findChargeableCard(sandbox.tools, sandbox.tenant, customerId, cardId);
  if (found.kind !== 'CHARGEABLE') throw new Error(found.kind);
  return found.card;
};
/** By the stored reference of the deleted card, past our own rules: the processor's own answer. */
const chargeAtProcessor = async (card: ChargeableCard): Promise<string> => {
  const rail = await sandbox.rails.cardRails.need(sandbox.tenant);
  const state = rail.prepareCharge({
    attemptId: sandbox.tools.ids.uuid(),
    paymentRequestId: sandbox.tools.ids.uuid(),
    amountPence: pence(500),
    description: 'Order 18',
    captureMethod: 'AUTOMATIC',
    customerReference: card.customerReference,
    cardReference: card.cardReference,
    recurrenceType: card.recurrenceType,
    initiator: 'MERCHANT',
  });
  return (await rail.charge(state)).kind;
};
const detachmentsOf = (customerId: string) =>
  waitUntil(async () => {
    const all = await readDetachments(sandbox.tools, sandbox.tenant, customerId);
    const rows = all.filter(({ kind }) => kind === 'CARD');
    return rows.every(({ outcome }) => outcome !== null) && rows.length > 0 && rows;
  });

describe('a saved card', () => {
  test('shows that it is a company card', async () => {
    const customerId = await newCustomer();
    await payAndSave(customerId, '4988080000000000');
    expect(await cardsOf(customerId)).toMatchObject([
      { category: 'commercial', type: 'debit', lastFourDigits: '0000' },
    ]);
  });

  test('is shown, charged and deleted, and cannot be charged after that', async () => {
    const customerId = await newCustomer();
    const details = await payAndSave(customerId, '4000000000000127');
    const [card, ...others] = await cardsOf(customerId);
    expect(others).toEqual([]);
    expect(card).toMatchObject({
      lastFourDigits: '0127',
      brand: 'VISA',
      category: 'consumer',
      recurrenceType: 'unscheduled',
      expiryDate: expect.stringMatching(/^\d\d\/\d{4}$/),
    });
    expect(details.cardPaymentDetails.paymentMethodId).toBe(card.id);
    const charged = await charge(customerId, card.id);
    expect([charged.status, charged.body.status]).toEqual([200, 'PENDING']);
    expect(await ended(charged.body.paymentRequestId)).toBe('COMPLETED');
    const chargeable = await chargeableCardOf(customerId, card.id);
    expect(await chargeAtProcessor(chargeable)).toBe('COMPLETED');
    const path = `/api/customers/${customerId}/cards/${card.id}`;
    expect((await sandbox.request('DELETE', path)).status).toBe(200);
    expect((await charge(customerId, card.id)).status).toBe(404);
    expect(await detachmentsOf(customerId)).toMatchObject([
      { reason: 'DELETED', outcome: 'DETACHED' },
    ]);
    expect(await chargeAtProcessor(chargeable)).toBe('FAILED');
  });

  test('is charged with tax and service', async () => {
    const customerId = await newCustomer();
    await payAndSave(customerId, '4000000000000127');
    const [card] = await cardsOf(customerId);
    const setParts = (body: object) =>
      sandbox.request('POST', '/api/sandbox/amount-parts', { body });
    await setParts({ taxPercentage: 20, servicePercentage: 5 });
    const { body } = await charge(customerId, card.id);
    await setParts({ taxPercentage: 0, servicePercentage: 0 });
    expect(await ended(body.paymentRequestId)).toBe('COMPLETED');
    const parts = { taxAmount: 0.8, serviceAmount: 0.2 };
    const status = await statusOf(body.paymentRequestId);
    expect(status).toMatchObject({ ...parts, transactionDetails: [parts] });
  });

  test('has the same id when saved again, and is deleted with its customer', async () => {
    const customerId = await newCustomer();
    await payAndSave(customerId, '5555555555550127');
    const [first] = await cardsOf(customerId);
    const older = await chargeableCardOf(customerId, first.id);
    const details = await payAndSave(customerId, '5555555555550127');
    expect(await cardsOf(customerId)).toEqual([first]);
    expect(details.cardPaymentDetails.paymentMethodId).toBe(first.id);
    await detachmentsOf(customerId);
    expect(await chargeAtProcessor(older)).toBe('FAILED');
    const newer = await chargeableCardOf(customerId, first.id);
    expect(await chargeAtProcessor(newer)).toBe('COMPLETED');
    await sandbox.request('DELETE', `/api/customers/${customerId}`);
    expect((await charge(customerId, first.id)).status).toBe(404);
    expect(await detachmentsOf(customerId)).toMatchObject([
      { reason: 'REPLACED' },
      { reason: 'CUSTOMER_DELETED' },
    ]);
    expect(await chargeAtProcessor(newer)).toBe('FAILED');
  });

  test('is not saved without authentication: paid, not listed, detached', async () => {
    const customerId = await newCustomer();
    const details = await payAndSave(customerId, '4242424242424242');
    expect(details.cardPaymentDetails.paymentMethodId).toBeNull();
    expect(await cardsOf(customerId)).toEqual([]);
    expect(await detachmentsOf(customerId)).toMatchObject([
      { reason: 'NOT_AUTHENTICATED', outcome: 'DETACHED' },
    ]);
  });
});
