import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import type { CardEvent } from '#rails/card-rail.ts';
import { nameByLastFour } from '../../../../test/harness/name-by-last-four.ts';
import { useSimulatedAccount } from './test/simulated-account.ts';

const account = useSimulatedAccount();
const hourMs = 3_600_000;

/** Our endpoint: the events of the processor, as the rail reads them. */
const received: CardEvent[] = [];
const raw: { readonly body: Buffer; readonly signature: string }[] = [];
const endpoint = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const notice = {
      body: Buffer.concat(chunks),
      signature: String(request.headers['stripe-signature']),
    };
    raw.push(notice);
    received.push(await account.rail.readEvent(notice.body, notice.signature));
    response.end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/events`;
  await account.books.webhookEndpoints.create({ url, enabled_events: ['*'] });
});
afterAll(() => {
  endpoint.closeAllConnections();
  return new Promise((resolve) => endpoint.close(resolve));
});

const receivedOf = async (kind: CardEvent['kind'], reference: string): Promise<CardEvent> => {
  for (;;) {
    const event = received.find(
      (each) => each.kind === kind && 'reference' in each && each.reference === reference,
    );
    if (event) return event;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const advance = (paymentId: string, milliseconds: number) =>
  account.simulator.control('POST', '/clock/advance', {
    paymentIntentIds: [paymentId],
    milliseconds,
  });

const authorised = async (cardNumber: string) => {
  const order = account.chargeOf(await account.save(cardNumber), { captureMethod: 'MANUAL' });
  const outcome = await account.rail.charge(account.rail.prepareCharge(order));
  if (outcome.kind !== 'AUTHORIZED') throw new Error(outcome.kind);
  return outcome;
};

describe('the end of an authorisation', () => {
  it.each(
    nameByLastFour([
      ['4000000000000127', 4 * 24 + 18],
      ['5555555555550127', 7 * 24],
    ]),
  )('%s can be captured until its end, not after it', async (_, hours, cardNumber) => {
    const early = await authorised(cardNumber);
    await advance(early.payment.reference, (hours - 1) * hourMs);
    expect((await account.rail.capture(early.state)).kind).toBe('COMPLETED');

    const late = await authorised(cardNumber);
    await advance(late.payment.reference, hours * hourMs + 1_000);
    const ended = { kind: 'CANCELLED', reason: 'AUTHORISATION_EXPIRED' };
    expect(await account.rail.readPayment(late.state)).toMatchObject(ended);
    expect(await account.rail.capture(late.state)).toMatchObject(ended);
    expect(await account.rail.resolveCancel(late.state, 'Other')).toMatchObject(ended);
    expect((await receivedOf('PAYMENT', late.payment.reference)).kind).toBe('PAYMENT');
  });
});

describe('the events of the processor', () => {
  it('name our attempt, for a page, its payment and a refund', async () => {
    const { outcome, reference, attemptId } = await account.pay({ cardNumber: '4242424242424242' });
    if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
    const paymentReference = outcome.payment.reference;
    expect(await receivedOf('SESSION', reference)).toMatchObject({ attemptId, paymentReference });
    expect(await receivedOf('PAYMENT', paymentReference)).toMatchObject({ attemptId });
    const refundId = account.newId();
    const order = { refundId, amountPence: pence(500) };
    const made = await account.rail.refund(account.rail.prepareRefund(outcome.state, order));
    if (made.kind !== 'COMPLETED') throw new Error(made.kind);
    expect(await receivedOf('REFUND', made.reference)).toMatchObject({
      refundId,
      paymentReference,
    });
  });

  it('of a dispute are read with its outcome', async () => {
    const { outcome, attemptId } = await account.pay({ cardNumber: '4000000000000259' });
    if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
    const { reference } = outcome.payment;
    const isOfIt = (each: CardEvent) =>
      each.kind === 'DISPUTE' && each.paymentReference === reference;
    while (!received.some(isOfIt)) await new Promise((resolve) => setTimeout(resolve, 20));
    const event = received.find(isOfIt);
    const dispute = event && 'reference' in event ? event.reference : '';
    const facts = { kind: 'DISPUTE', amountPence: 1250n, paymentReference: reference, attemptId };
    const opened = { ...facts, status: 'OPEN', respondBy: expect.any(Date) };
    expect(await account.rail.readDispute(dispute)).toMatchObject(opened);
    await advance(reference, 2 * hourMs);
    expect(await account.rail.readDispute(dispute)).toMatchObject({ ...facts, status: 'LOST' });
  });

  it('of a refund that fails later is read as FAILED', async () => {
    const { outcome } = await account.pay({ cardNumber: '4000000000005126' });
    if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
    const order = { refundId: account.newId(), amountPence: pence(500) };
    const made = await account.rail.refund(account.rail.prepareRefund(outcome.state, order));
    if (made.kind !== 'COMPLETED') throw new Error(made.kind);
    await advance(outcome.payment.reference, 2 * hourMs);
    expect(await account.rail.readRefund(made.state)).toMatchObject({
      kind: 'FAILED',
      reference: made.reference,
      code: 'expired_or_canceled_card',
    });
  });

  it('are rejected when changed, and never quote a card number', async () => {
    expect(raw.length).toBeGreaterThan(5);
    expect(received.filter(({ kind }) => kind === 'INVALID')).toEqual([]);
    for (const { body, signature } of raw) {
      const changed = Buffer.from(body.toString().replace('evt_', 'evt-'));
      expect((await account.rail.readEvent(changed, signature)).kind).toBe('INVALID');
      expect(body.toString()).not.toMatch(
        /4242424242424242|40000000000(00127|00259|05126)|5555555555550127/,
      );
    }
  });
});
