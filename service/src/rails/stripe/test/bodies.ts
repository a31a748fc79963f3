import type { ScriptedAnswer } from './scripted-processor.ts';

export const attemptId = 'attempt-1';
export const createdAt = Date.UTC(2026, 10, 1, 10);

type Change = Readonly<Record<string, unknown>>;

export const intent = (status: string, change: Change = {}): Change => ({
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1250,
  amount_received: status === 'succeeded' ? 1250 : 0,
  currency: 'gbp',
  status,
  metadata: { attemptId },
  created: createdAt / 1000,
  latest_charge: null,
  last_payment_error: null,
  cancellation_reason: null,
  setup_future_usage: null,
  next_action: null,
  ...change,
});

export const card = (change: Change = {}): Change => ({
  brand: 'visa',
  funding: 'credit',
  country: 'GB',
  last4: '0127',
  exp_month: 4,
  exp_year: 2031,
  fingerprint: 'print1',
  network_transaction_id: '123456789012345',
  three_d_secure: null,
  ...change,
});

export const charged = (change: Change = {}, more: Change = {}): Change => ({
  id: 'ch_1',
  object: 'charge',
  status: 'succeeded',
  created: createdAt / 1000,
  amount: 1250,
  amount_refunded: 0,
  disputed: false,
  payment_method: 'pm_1',
  billing_details: { name: 'Ada Payer' },
  payment_method_details: { type: 'card', card: card(change) },
  ...more,
});

export const threeDs = (result: string, flow: string | null = 'challenge'): Change => ({
  authentication_flow: flow,
  electronic_commerce_indicator: '05',
  result,
  result_reason: null,
  transaction_id: '6d2a6c0e-0000-4000-8000-000000000001',
  version: '2.2.0',
});

export const session = (status: string, change: Change = {}): Change => ({
  id: 'cs_1',
  object: 'checkout.session',
  status,
  url: status === 'open' ? 'https://pages.example/cs_1' : null,
  metadata: { attemptId },
  payment_intent: null,
  ...change,
});

export const list = (data: readonly Change[], hasMore = false): ScriptedAnswer => ({
  body: { object: 'list', data, has_more: hasMore, url: '/v1/list' },
});

/** What the processor answers to a charge that the network declined. */
export const declinedAnswer = (error: Change, change: Change = {}): ScriptedAnswer => {
  const facts = { type: 'card_error', message: 'a text of the processor', ...error };
  const failed = intent('requires_payment_method', { last_payment_error: facts, ...change });
  return { status: 402, body: { error: { ...facts, payment_intent: failed } } };
};

export const refused = (status: number, code: string, type = 'invalid_request_error') => ({
  status,
  body: { error: { type, code, message: 'a text of the processor' } },
});

export const broken = (replayed = false): ScriptedAnswer => ({
  status: 500,
  body: { error: { type: 'api_error', message: 'sorry' } },
  headers: replayed ? { 'idempotent-replayed': 'true' } : {},
});
