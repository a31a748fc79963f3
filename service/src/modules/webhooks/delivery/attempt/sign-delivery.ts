import { createHmac } from 'node:crypto';
import type { EventType } from '@florin/contract';

export type SignedEvent = {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly sequence: number;
  /** Canonical JSON without signature fields. */
  readonly body: string;
  /** Of the call that began it, where that is known. */
  readonly requestId?: string | null;
  readonly traceparent?: string | null;
};

export type SigningKeys =
  /** Null: the merchant has no access secret left to sign with. */
  | { readonly version: 1; readonly accessSecret: string | null }
  | {
      readonly version: 2;
      readonly current: Buffer;
      readonly previous: readonly Buffer[];
      /** Staged: it signs beside the current one until it is promoted. */
      readonly next?: Buffer | null;
    };

export type SignedDelivery = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** The bytes depend on event and mode alone, so that they are the same at every retry. */
export const signDelivery = (
  event: SignedEvent,
  keys: SigningKeys,
  sending: { readonly deliveryId: string; readonly attempt: number; readonly timestamp: number },
): SignedDelivery => {
  const body = Buffer.from(
    keys.version === 1
      ? withV1Fields(event, keys.accessSecret)
      : spliced(event.body, { eventType: event.eventType }),
  );
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Florin-Webhooks/1',
    'x-service-event-id': event.eventId,
    'x-service-event-type': event.eventType,
    'x-service-sequence': String(event.sequence),
    'x-service-delivery-id': sending.deliveryId,
    'x-service-attempt': String(sending.attempt),
    'x-service-timestamp': String(sending.timestamp),
  };
  if (event.requestId) headers['x-request-id'] = event.requestId;
  if (event.traceparent) headers.traceparent = event.traceparent;
  if (keys.version === 2) addV2Headers(headers, event, keys, sending.timestamp, body);
  return { body, headers };
};

const signedBy = (key: Buffer, body: Buffer): string =>
  `v1=${createHmac('sha256', key).update(body).digest('hex')}`;

// Set one by one: to spread two objects into a third costs more than both signatures.
const addV2Headers = (
  headers: Record<string, string>,
  { eventId }: SignedEvent,
  { current, previous, next }: Extract<SigningKeys, { version: 2 }>,
  timestamp: number,
  body: Buffer,
): void => {
  const signature = signedBy(current, body);
  const standard = [current, ...previous, ...(next ? [next] : [])].map((key) => {
    const signed = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body);
    return `v1,${signed.digest('base64')}`;
  });
  const [old] = previous;
  headers['x-service-signature'] = signature;
  headers['x-atoa-signature'] = signature;
  if (old) headers['x-service-signature-previous'] = signedBy(old, body);
  if (next) headers['x-service-signature-next'] = signedBy(next, body);
  headers['webhook-id'] = eventId;
  headers['webhook-timestamp'] = String(timestamp);
  headers['webhook-signature'] = standard.join(' ');
};

type V1Members = {
  readonly orderId?: string;
  readonly paymentRequestId?: string;
  readonly paymentIdempotencyId?: string;
  readonly refundId?: string;
};

/** `signatureHash` over the order and the event's subject; a payment also has `signature`. */
const withV1Fields = ({ eventType, body }: SignedEvent, secret: string | null): string => {
  if (secret === null || eventType === 'POS_PAYMENT_STATUS') return body;
  const { orderId, paymentRequestId, paymentIdempotencyId, refundId }: V1Members = JSON.parse(body);
  const sign = (about: string | undefined) =>
    createHmac('sha256', secret).update(`${orderId}|${about}`).digest('hex');
  if (eventType === 'REFUND_STATUS') return spliced(body, { signatureHash: sign(refundId) });
  const signatureHash = sign(paymentRequestId);
  return eventType === 'EXPIRED_STATUS'
    ? spliced(body, { signatureHash })
    : spliced(body, { signatureHash, signature: sign(paymentIdempotencyId) });
};

/** Adds members to a JSON object without writing the rest again. */
const spliced = (body: string, members: Readonly<Record<string, string>>): string => {
  const added = JSON.stringify(members).slice(1);
  return `${body.slice(0, -1)}${body === '{}' ? '' : ','}${added}`;
};
