import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type SignedEvent, signDelivery } from './sign-delivery.ts';

const event = (changes: Partial<SignedEvent> = {}): SignedEvent => ({
  eventId: '6a1f0c8e-0000-4000-8000-000000000001',
  eventType: 'PAYMENTS_STATUS',
  sequence: 3,
  body: JSON.stringify({
    orderId: 'ORDER-1',
    paymentRequestId: 'p1',
    paymentIdempotencyId: 'FLR1',
  }),
  ...changes,
});
const sending = { deliveryId: '17', attempt: 2, timestamp: Math.floor(Date.now() / 1000) };
const hex = (key: string | Buffer, text: string | Buffer) =>
  createHmac('sha256', key).update(text).digest('hex');

describe('v1', () => {
  const members = (signed: SignedEvent) =>
    JSON.parse(
      signDelivery(signed, { version: 1, accessSecret: 'plain' }, sending).body.toString(),
    );

  test('signs order and payment request, and order and payment', () => {
    expect(members(event())).toEqual({
      ...JSON.parse(event().body),
      signatureHash: hex('plain', 'ORDER-1|p1'),
      signature: hex('plain', 'ORDER-1|FLR1'),
    });
  });

  test('signs order and refund, with one signature', () => {
    const body = JSON.stringify({ refundId: 'r1', orderId: 'ORDER-1', paymentRequestId: 'p1' });
    const refund = members(event({ eventType: 'REFUND_STATUS', body }));
    expect(refund.signatureHash).toBe(hex('plain', 'ORDER-1|r1'));
    expect(refund).not.toHaveProperty('signature');
  });

  test('signs an expiry by its payment request id only', () => {
    const expiry = members(event({ eventType: 'EXPIRED_STATUS' }));
    expect(expiry.signatureHash).toBe(hex('plain', 'ORDER-1|p1'));
    expect(expiry).not.toHaveProperty('signature');
  });

  test('has no header of v2 and no eventType', () => {
    const { headers, body } = signDelivery(event(), { version: 1, accessSecret: 's' }, sending);
    expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
    expect(JSON.parse(body.toString())).not.toHaveProperty('eventType');
    expect(headers).toMatchObject({
      'x-service-event-id': event().eventId,
      'x-service-sequence': '3',
      'x-service-attempt': '2',
      'x-service-delivery-id': '17',
    });
  });

  test('a known vector', () => {
    const { signatureHash } = members(event({ body: '{"orderId":"A","paymentRequestId":"B"}' }));
    // printf 'A|B' | openssl dgst -sha256 -hmac plain
    expect(signatureHash).toBe('8cd5b34ee7a1bf82ecab96bce5fafca53e1ae0ac65f2e71198f1e9e6ab94808b');
  });
});

describe('v2', () => {
  const current = randomBytes(32);
  const previous = randomBytes(32);

  test('signs the exact bytes with the decoded secret, under both names', () => {
    const signed = signDelivery(event(), { version: 2, current, previous: [] }, sending);
    expect(signed.headers['x-service-signature']).toBe(`v1=${hex(current, signed.body)}`);
    expect(signed.headers['x-atoa-signature']).toBe(signed.headers['x-service-signature']);
    expect(signed.headers).not.toHaveProperty('x-service-signature-previous');
    expect(JSON.parse(signed.body.toString())).toEqual({
      ...JSON.parse(event().body),
      eventType: 'PAYMENTS_STATUS',
    });
  });

  test('is accepted by an independent verifier, with the new and with the old secret', () => {
    const signed = signDelivery(event(), { version: 2, current, previous: [previous] }, sending);
    for (const key of [current, previous]) {
      const verifier = new Webhook(`whsec_${key.toString('base64')}`);
      expect(verifier.verify(signed.body.toString(), { ...signed.headers })).toMatchObject({
        orderId: 'ORDER-1',
      });
    }
    const stranger = new Webhook(`whsec_${randomBytes(32).toString('base64')}`);
    expect(() => stranger.verify(signed.body.toString(), { ...signed.headers })).toThrow();
    expect(signed.headers['x-service-signature-previous']).toBe(`v1=${hex(previous, signed.body)}`);
  });

  test('sends the same bytes at every retry', () => {
    const keys = { version: 2, current, previous: [] } as const;
    const [first, later] = [1, 2].map((attempt) =>
      signDelivery(event(), keys, { ...sending, attempt, timestamp: sending.timestamp + attempt }),
    );
    expect(first?.body).toEqual(later?.body);
    expect(first?.headers['x-service-signature']).toBe(later?.headers['x-service-signature']);
    expect(first?.headers['webhook-id']).toBe(later?.headers['webhook-id']);
  });
});
