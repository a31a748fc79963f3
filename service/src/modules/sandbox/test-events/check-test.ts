import type { BodyOf, EventType, triggerTestWebhook } from '@florin/contract';
import type { Failure } from '#kernel/failure.ts';
import { type Pence, penceFromPounds } from '#kernel/pence.ts';
import { badField } from '#platform/http/bad-field.ts';

export type TestRequest = BodyOf<typeof triggerTestWebhook>;

type Shape = 'PAYMENTS_STATUS' | 'REFUND_STATUS' | 'EXPIRED_STATUS';

const posShapes: Readonly<Record<Shape, readonly string[]>> = {
  PAYMENTS_STATUS: ['COMPLETED', 'FAILED', 'EXPIRED'],
  REFUND_STATUS: ['COMPLETED', 'FAILED'],
  EXPIRED_STATUS: ['EXPIRED'],
};

const statuses: Readonly<Record<Exclude<EventType, 'POS_PAYMENT_STATUS'>, readonly string[]>> = {
  PAYMENTS_STATUS: ['COMPLETED', 'PENDING', 'AUTHORIZED', 'FAILED', 'CANCELLED'],
  REFUND_STATUS: ['COMPLETED', 'FAILED', 'CANCELLED'],
  EXPIRED_STATUS: ['EXPIRED'],
};

const defaultPounds = 10;

export type CheckedTest = {
  readonly request: TestRequest;
  readonly shape: Shape;
  readonly status: string;
  readonly amount: Pence;
  readonly isCard: boolean;
};

/** What may be requested for each event type; 400 names the member that does not fit. */
export const checkTest = (request: TestRequest): CheckedTest => {
  const isPos = request.eventType === 'POS_PAYMENT_STATUS';
  if (!isPos && request.type !== undefined) throw refusal('type', 'is for POS_PAYMENT_STATUS only');
  if (!isPos && request.customFields !== undefined)
    throw refusal('customFields', 'is for POS_PAYMENT_STATUS only');
  const shape =
    request.eventType === 'POS_PAYMENT_STATUS'
      ? (request.type ?? 'PAYMENTS_STATUS')
      : request.eventType;
  const status = statusOf(request, shape);
  if (status === 'AUTHORIZED' && request.paymentMethod === 'PAY_BY_BANK')
    throw refusal('status', 'AUTHORIZED is for cards only');
  const amount = penceFromPounds(request.amount ?? defaultPounds);
  if (amount === null || amount <= 0n)
    throw refusal('amount', 'must be pounds above 0 with at most two decimals');
  return { request, shape, status, amount, isCard: isCardOf(request, status, isPos) };
};

const statusOf = (request: TestRequest, shape: Shape): string => {
  const allowed = request.eventType === 'POS_PAYMENT_STATUS' ? posShapes[shape] : statuses[shape];
  const [preset = 'COMPLETED'] = allowed;
  if (shape === 'EXPIRED_STATUS' || request.status === undefined) return preset;
  if (!allowed.includes(request.status))
    throw refusal('status', `must be one of ${allowed.join(', ')}`);
  return request.status;
};

/** By default: card events are of a card, and a terminal takes cards. */
const isCardOf = ({ paymentMethod }: TestRequest, status: string, isPos: boolean): boolean =>
  paymentMethod === undefined
    ? isPos || ['AUTHORIZED', 'CANCELLED'].includes(status)
    : paymentMethod === 'CARD';

const refusal = (field: string, words: string): Failure => {
  const message = `${field} ${words}`;
  return badField(field, message, `${message}.`);
};
