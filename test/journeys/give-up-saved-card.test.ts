import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pence } from '../../service/src/kernel/money.ts';
import { ensureProcessorCustomer, listCards } from '../../service/src/modules/cards/index.ts';
import { readDetachments } from '../../service/src/modules/cards/test/read-rows.ts';
import { recordCardPayment } from '../../service/src/modules/cards/test/save-card.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const newCustomer = async (): Promise<string> => {
  const body = { fullName: 'Ada Lovelace', phoneNumber: '7700900123' };
  return (await sandbox.request('POST', '/api/customers', { body })).body.id;
};

/** Pays on the processor's page as a payer does, and records it as the payment's statement does. */
const saveCard = async (customerId: string, cardNumber: string) => {
  const { tools, tenant, rails } = sandbox;
  const rail = await rails.cardRails.need(tenant);
  const made = await ensureProcessorCustomer(tools, rail, tenant, customerId);
  if (made.kind !== 'READY') throw new Error(made.kind);
  const attemptId = tools.ids.uuid();
  const opened = await rail.openSession({
    attemptId,
    paymentRequestId: tools.ids.uuid(),
    amountPence: pence(1250),
    description: 'Order 17',
    captureMethod: 'AUTOMATIC',
    returnUrl: `${sandbox.url}/back`,
    customerReference: made.customerReference,
    saveCard: { recurrenceType: 'unscheduled' },
  });
  if (opened.kind !== 'OPENED') throw new Error(opened.kind);
  await rails.payerRail?.payByCard(opened.url, { cardNumber });
  const outcome = await rail.readSession(opened.state);
  if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
  const { payment } = outcome;
  const { accountKey } = rail;
  await recordCardPayment(tools, tenant, { customerId, attemptId, payment, accountKey });
  return { customerReference: made.customerReference, payment };
};

const charge = async (customerReference: string, cardReference: string) => {
  const { tools, tenant, rails } = sandbox;
  const rail = await rails.cardRails.need(tenant);
  const state = rail.prepareCharge({
    attemptId: tools.ids.uuid(),
    paymentRequestId: tools.ids.uuid(),
    amountPence: pence(500),
    description: 'Order 18',
    captureMethod: 'AUTOMATIC',
    customerReference,
    cardReference,
    recurrenceType: 'unscheduled',
    initiator: 'MERCHANT',
  });
  return (await rail.charge(state)).kind;
};

const settled = (customerId: string, reason: string) =>
  waitUntil(async () => {
    const rows = await readDetachments(sandbox.tools, sandbox.tenant, customerId);
    return rows.length > 0 && rows.every((row) => row.reason === reason && row.outcome);
  });

describe('a saved card', () => {
  test('that the merchant deletes can soon be charged by nobody', async () => {
    const customerId = await newCustomer();
    const { customerReference } = await saveCard(customerId, '4000000000000127');
    const [card] = await listCards(sandbox.tools, sandbox.tenant, customerId);
    const cardReference = String(card?.cardReference);
    expect(await charge(customerReference, cardReference)).toBe('COMPLETED');
    const path = `/api/customers/${customerId}/cards`;
    const [shown] = (await sandbox.request('GET', path)).body;
    expect(shown).toMatchObject({ lastFourDigits: '0127', brand: 'VISA' });
    expect((await sandbox.request('DELETE', `${path}/${shown.id}`)).status).toBe(200);
    await settled(customerId, 'DELETED');
    expect(await charge(customerReference, cardReference)).toBe('FAILED');
  });

  test('without authentication is never listed, and goes by itself', async () => {
    const customerId = await newCustomer();
    const { customerReference, payment } = await saveCard(customerId, '4242424242424242');
    expect((await sandbox.request('GET', `/api/customers/${customerId}/cards`)).body).toEqual([]);
    await settled(customerId, 'NOT_AUTHENTICATED');
    expect(await charge(customerReference, String(payment.savedCardReference))).toBe('FAILED');
  });
});
