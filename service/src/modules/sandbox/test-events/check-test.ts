import { type BodyOf, type EventType, failures, type triggerTestWebhook } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Pence, penceFromPounds } from '#kernel/money.ts';

export type TestAsked = BodyOf<typeof triggerTestWebhook>;

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
  readonly asked: TestAsked;
  readonly shape: Shape;
  readonly status: string;
  readonly amount: Pence;
  readonly isCard: boolean;
};

/** What may be asked for which event type; 400 names the member that does not fit. */
export const checkTest = (asked: TestAsked): CheckedTest => {
  const isPos = asked.eventType === 'POS_PAYMENT_STATUS';
  if (!isPos && asked.type !== undefined) throw refusal('type', 'is for POS_PAYMENT_STATUS only');
  if (!isPos && asked.customFields !== undefined)
    throw refusal('customFields', 'is for POS_PAYMENT_STATUS only');
  const shape =
    asked.eventType === 'POS_PAYMENT_STATUS' ? (asked.type ?? 'PAYMENTS_STATUS') : asked.eventType;
  const status = statusOf(asked, shape);
  if (status === 'AUTHORIZED' && asked.paymentMethod === 'PAY_BY_BANK')
    throw refusal('status', 'AUTHORIZED is for cards only');
  const amount = penceFromPounds(asked.amount ?? defaultPounds);
  if (amount === null || amount <= 0n)
    throw refusal('amount', 'must be pounds above 0 with at most two decimals');
  return { asked, shape, status, amount, isCard: isCardOf(asked, status, isPos) };
};

const statusOf = (asked: TestAsked, shape: Shape): string => {
  const allowed = asked.eventType === 'POS_PAYMENT_STATUS' ? posShapes[shape] : statuses[shape];
  const [preset = 'COMPLETED'] = allowed;
  if (shape === 'EXPIRED_STATUS' || asked.status === undefined) return preset;
  if (!allowed.includes(asked.status))
    throw refusal('status', `must be one of ${allowed.join(', ')}`);
  return asked.status;
};

/** Unless it is said: what happens to cards only is a card's, and a terminal takes cards. */
const isCardOf = ({ paymentMethod }: TestAsked, status: string, isPos: boolean): boolean =>
  paymentMethod === undefined
    ? isPos || ['AUTHORIZED', 'CANCELLED'].includes(status)
    : paymentMethod === 'CARD';

const refusal = (field: string, words: string): Failure => {
  const message = `${field} ${words}`;
  return new Failure(failures.badRequest, { message: `${message}.`, errors: [{ field, message }] });
};
