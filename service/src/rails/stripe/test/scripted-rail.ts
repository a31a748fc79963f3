import { afterAll, beforeAll, beforeEach } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { randomIds } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { CardChargeOrder, CardRail, CardSessionOrder } from '#rails/card-rail.ts';
import { attemptId, createdAt } from '../fixtures/bodies.ts';
import type { StripeCards } from '../stripe.ts';
import { openStripe } from '../stripe.ts';
import type { ScriptedProcessor } from './scripted-processor.ts';
import { openScriptedProcessor } from './scripted-processor.ts';

export const webhookSecret = 'whsec_scripted_secret';

// Long enough for a busy machine: at 400 ms received answers were taken for lost.
const timeouts = { connectMs: 2_000, headersMs: 1_500, bodyMs: 1_500, totalMs: 2_000 };

export type ScriptedRail = {
  processor: ScriptedProcessor;
  rail: CardRail;
  /** Real time as the rail sees it. */
  now: number;
  readonly lines: unknown[];
};

/** One scripted processor per file, and a clock that a test may set. */
export const useScriptedRail = (): ScriptedRail => {
  const lines: unknown[] = [];
  const scripted = { lines, now: createdAt } as ScriptedRail;
  let cards: StripeCards;
  beforeAll(async () => {
    scripted.processor = await openScriptedProcessor();
    const clock = { now: () => new Date(scripted.now), sleep: async () => undefined };
    cards = openStripe({ clock, ids: randomIds(), log: keepingLog(lines) }, timeouts);
    scripted.rail = cards.railFor({
      environment: 'SANDBOX',
      secretKey: 'sk_test_scripted',
      publishableKey: 'pk_test_scripted',
      webhookSecret,
      apiUrl: scripted.processor.url,
    });
  });
  beforeEach(() => {
    scripted.now = createdAt;
    scripted.processor.requests.length = 0;
  });
  afterAll(async () => {
    await cards.close();
    await scripted.processor.close();
  });
  return scripted;
};

const keepingLog = (lines: unknown[]): Log => {
  const record = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { debug: record, info: record, warn: record, error: record };
};

export const chargeOrder = {
  attemptId,
  paymentRequestId: 'request-1',
  amountPence: pence(1250),
  description: 'Order 17',
  captureMethod: 'AUTOMATIC',
  customerReference: 'cus_1',
  cardReference: 'pm_1',
  recurrenceType: 'unscheduled',
  initiator: 'MERCHANT',
} as const satisfies CardChargeOrder;

export const sessionOrder = {
  attemptId,
  paymentRequestId: 'request-1',
  amountPence: pence(1250),
  description: 'Order 17',
  captureMethod: 'AUTOMATIC',
  returnUrl: 'https://pay.example/back',
} as const satisfies CardSessionOrder;

export const sessionState = JSON.stringify({
  v: 1,
  kind: 'SESSION',
  attemptId,
  amount: 1250,
  initiator: 'CUSTOMER',
  sessionId: 'cs_1',
});

/** The state of a charge that the processor has shown already. */
export const paidState = (change: object = {}): string =>
  JSON.stringify({ ...JSON.parse(sessionState), paymentId: 'pi_1', ...change });
