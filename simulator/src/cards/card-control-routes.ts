import type { FastifyInstance } from 'fastify';
import { limits } from '#simulator/limits.ts';
import type { Fault } from '#simulator/store/faults.ts';
import { cardTable } from './card-table.ts';
import { lastFourOfMagicCard, magicCardByKey, tokenOfMagicCard } from './magic-card.ts';
import type { IntentRecord } from './model.ts';
import { answerChallenge, paySession, sessionStateOf } from './operations/pay-session.ts';
import { readCard } from './pages/pay-page.ts';
import type { CardTools } from './ports.ts';
import type { ChallengeDecision } from './rules/authenticate.ts';
import { intentAt } from './rules/due-at.ts';
import { approvedAttempt, refundedAmount } from './rules/finish-payment.ts';
import { openTransaction } from './transaction/transaction.ts';
import {
  type CardFaultOperation,
  cardFaultKinds,
  cardFaultOperations,
} from './wire/inject-card-fault.ts';

const decisions = ['approve', 'decline', 'timeout'] as const;

// The caller has shown the control token before any of these is reached.
export const cardControlRoutes = async (app: FastifyInstance, tools: CardTools): Promise<void> => {
  app.get<{ Querystring: PaymentsQuery }>(
    '/cards/payments',
    { schema: { querystring: paymentsQuery } },
    async ({ query }) => listLines(tools, query),
  );
  app.get('/magic/cards', async () =>
    cardTable.map((row) => ({ ...row, token: tokenOfMagicCard(row) })),
  );
  app.post<{ Body: { readonly id: string; readonly decision: ChallengeDecision } }>(
    '/cards/challenges/resolve',
    { schema: { body: resolve } },
    async ({ body }, reply) => {
      const intentId = await intentIdFor(tools, body.id);
      const before = intentId && (await openTransaction(tools).find('intent', intentId));
      if (!before) return reply.code(404).send({ message: 'No such payment.' });
      if (!before.challenge) return reply.code(409).send({ message: 'No challenge is waiting.' });
      const ended = await answerChallenge(tools, { intentId, id: undefined }, body.decision);
      return { paymentIntentId: intentId, status: ended?.intent.status };
    },
  );
  app.post<{ Params: { id: string }; Body: Readonly<Record<string, unknown>> }>(
    '/cards/sessions/:id/pay',
    async ({ params, body }, reply) => {
      const read = readChoice(body, tools.clock.now());
      if ('mistakes' in read) {
        return reply.code(422).send({ message: 'The card was refused unread.', ...read });
      }
      const paid = await paySession(tools, params.id, read.choice);
      if (!paid) return reply.code(404).send({ message: 'No such session or card.' });
      const { session, intent } = paid;
      const isChallenged = intent?.challenge !== null && intent?.challenge !== undefined;
      return {
        session: session.status,
        paymentIntentId: intent?.id,
        status: intent?.status,
        isChallenged,
      };
    },
  );
};

const readChoice = (body: Readonly<Record<string, unknown>>, now: number) => {
  if (typeof body.paymentMethodId === 'string') {
    return { choice: { kind: 'saved', methodId: body.paymentMethodId } } as const;
  }
  const read = readCard({ expiry: '12/99', cvc: '123', name: 'Sandbox Driver', ...body }, now);
  if ('mistakes' in read) return read;
  const { row, expiryMonth, expiryYear, holderName } = read.card;
  const wantsSaving = body.save === true;
  const typed = { card: row.key, expiryMonth, expiryYear, holderName, wantsSaving };
  return { choice: { kind: 'typed', ...typed } } as const;
};

const intentIdFor = async (tools: CardTools, id: string): Promise<string | undefined> => {
  if (id.startsWith('pi_')) return id;
  return (await sessionStateOf(tools, id))?.session.intentId ?? undefined;
};

const listLines = async (tools: CardTools, query: PaymentsQuery) => {
  const ids = query.paymentIntentIds?.split(',').filter((id) => id !== '');
  const { pageSize: limit, after } = query;
  const intents = ids
    ? await Promise.all(ids.map((id) => openTransaction(tools).find('intent', id)))
    : await tools.store.list({ kind: 'intent', limit, after });
  return intents.flatMap((intent) => (intent ? [paymentLine(intent, tools.clock.now())] : []));
};

type PaymentsQuery = {
  readonly paymentIntentIds?: string;
  readonly pageSize: number;
  readonly after?: string;
};

const paymentsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    paymentIntentIds: { type: 'string' },
    after: { type: 'string' },
    pageSize: { type: 'integer', minimum: 1, maximum: limits.controlPageSize, default: 100 },
  },
};

const resolve = {
  type: 'object',
  required: ['id', 'decision'],
  properties: { id: { type: 'string' }, decision: { enum: decisions } },
};

export type CardFaultRequest = Fault & {
  readonly operation: CardFaultOperation;
  readonly times?: number;
};

export const cardFaultSchema = {
  type: 'object',
  required: ['operation', 'kind'],
  properties: {
    operation: { enum: cardFaultOperations },
    kind: { enum: cardFaultKinds },
    times: { type: 'integer', minimum: 1, maximum: limits.faultsPerCall },
    milliseconds: { type: 'integer', minimum: 0, maximum: limits.faultSlownessMs },
    status: { type: 'integer', minimum: 400, maximum: 599 },
  },
};

export const isCardFaultRequest = (body: {
  readonly operation: string;
}): body is CardFaultRequest => body.operation.startsWith('cards:');

// One payment as the processor has it: the amounts held, captured and refunded.
const paymentLine = (stored: IntentRecord, realNow: number) => {
  const { intent } = intentAt(stored, realNow + stored.clockOffsetMs);
  const attempt = approvedAttempt(intent);
  const row = attempt && magicCardByKey(attempt.card);
  return {
    paymentIntentId: intent.id,
    sessionId: intent.sessionId,
    status: intent.status,
    currency: intent.currency,
    amount: intent.amount,
    held: intent.status === 'requires_capture' ? (attempt?.amount ?? 0) : 0,
    captured: attempt?.amountCaptured ?? 0,
    refunded: refundedAmount(intent),
    cancellationReason: intent.cancellationReason,
    captureBefore: attempt?.captureBefore ?? null,
    clockOffsetMs: intent.clockOffsetMs,
    attempts: intent.attempts.length,
    isMerchantInitiated: attempt?.isMerchantInitiated ?? null,
    metadata: intent.metadata,
    card: row && { key: row.key, lastFour: lastFourOfMagicCard(row), brand: row.brand },
    authentication: intent.lastAuthentication,
    lastError: intent.lastError,
  };
};
