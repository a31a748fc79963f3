import { fingerprintOfMagicCard, magicCardByKey } from '../magic-card.ts';
import type {
  Card,
  CardRecord,
  CustomerRecord,
  IntentRecord,
  MethodRecord,
  Outcome,
  SessionRecord,
} from '../model.ts';
import type { CardTools } from '../ports.ts';
import type { ChallengeDecision } from '../rules/authenticate.ts';
import { endChallenge, type Paid, startPayment } from '../rules/start-payment.ts';
import { openTransaction, runTransaction, type Transaction } from '../transaction/transaction.ts';
import { newCustomer } from './customers.ts';
import { newIntent } from './intents.ts';
import { newMethod } from './methods.ts';

type Choice =
  | {
      readonly kind: 'typed';
      readonly card: string;
      readonly expiryMonth: number;
      readonly expiryYear: number;
      readonly holderName: string;
      readonly wantsSaving: boolean;
    }
  | { readonly kind: 'saved'; readonly methodId: string };

export type SessionState = {
  readonly session: SessionRecord;
  readonly intent: IntentRecord | undefined;
};

// Undefined when there is no such session, or no such saved card in it.
export const paySession = (
  tools: CardTools,
  sessionId: string,
  choice: Choice,
): Promise<SessionState | undefined> =>
  runTransaction(tools, async (transaction): Promise<Outcome<SessionState | undefined>> => {
    const session = await transaction.find('session', sessionId);
    if (!session) return nothing;
    const intent = session.intentId
      ? await transaction.find('intent', session.intentId)
      : undefined;
    if (session.status !== 'open') return { ...nothing, result: { session, intent } };
    const card = await cardOf(tools, transaction, session, choice);
    return card ? pay(tools, { session, intent }, choice, card) : nothing;
  });

const pay = (
  tools: CardTools,
  before: SessionState,
  choice: Choice,
  card: Card,
): Outcome<SessionState> => {
  const { session } = before;
  const now = tools.clock.now();
  const customer = newCustomerOf(tools, session, choice, now);
  const customerId = session.customerId ?? customer?.id ?? null;
  const intent = { ...(before.intent ?? intentOf(tools, session, choice, now)), customerId };
  const clock = now + intent.clockOffsetMs;
  const start = { now: clock, isMerchantInitiated: false, returnUrl: null, random: tools.random };
  const paid = startPayment(intent, card, start);
  const method = paid.method ?? (card.method.version === 0 ? card.method : undefined);
  return close({ ...session, customerId }, { ...paid, method }, customer ? [customer] : []);
};

const nothing = { saved: [], eventDrafts: [], result: undefined } as const;

const cardOf = async (
  tools: CardTools,
  transaction: Transaction,
  session: SessionRecord,
  choice: Choice,
): Promise<Card | undefined> => {
  if (choice.kind === 'saved') {
    const method = await transaction.find('method', choice.methodId);
    const isTheirs =
      method && method.customerId !== null && method.customerId === session.customerId;
    return isTheirs ? { row: magicCardByKey(method.card), method } : undefined;
  }
  const row = magicCardByKey(choice.card);
  const { expiryMonth, expiryYear, holderName, wantsSaving } = choice;
  const fingerprint = fingerprintOfMagicCard(row, tools.secrets.fingerprintSecret);
  const typed = { card: row.key, fingerprint, expiryMonth, expiryYear, holderName };
  const made = newMethod(tools, tools.clock.now(), typed);
  const method: MethodRecord = wantsSaving ? { ...made, allowRedisplay: 'always' } : made;
  return { row, method };
};

// A card is saved for a customer: a guest who saves one becomes a customer.
const newCustomerOf = (
  tools: CardTools,
  session: SessionRecord,
  choice: Choice,
  now: number,
): CustomerRecord | undefined => {
  if (session.customerId !== null || futureOf(session, choice) === null) return undefined;
  const name = choice.kind === 'typed' ? choice.holderName : '';
  return newCustomer({ tools, now }, { name, email: session.customerEmail ?? '' });
};

const futureOf = (session: SessionRecord, choice: Choice) => {
  const wantsSaving = choice.kind === 'typed' && choice.wantsSaving;
  return session.intentParameters.setupFutureUsage ?? (wantsSaving ? 'on_session' : null);
};

const intentOf = (
  tools: CardTools,
  session: SessionRecord,
  choice: Choice,
  now: number,
): IntentRecord => {
  const { amount, currency, clockOffsetMs } = session;
  const made = newIntent(tools, now, session.intentParameters);
  const setupFutureUsage = futureOf(session, choice);
  return { ...made, amount, currency, clockOffsetMs, setupFutureUsage, sessionId: session.id };
};

export const answerChallenge = (
  tools: CardTools,
  challenge: { readonly intentId: string; readonly id: string | undefined },
  decision: ChallengeDecision,
): Promise<
  { readonly intent: IntentRecord; readonly session: SessionRecord | undefined } | undefined
> =>
  runTransaction(tools, async (transaction) => {
    const intent = await transaction.find('intent', challenge.intentId);
    if (!intent) return nothing;
    const session = intent.sessionId
      ? await transaction.find('session', intent.sessionId)
      : undefined;
    const isCurrent = !challenge.id || intent.challenge?.id === challenge.id;
    if (!intent.challenge || !isCurrent) return { ...nothing, result: { intent, session } };
    const method = await transaction.get('method', intent.challenge.methodId);
    const card = { row: magicCardByKey(method.card), method };
    const clock = tools.clock.now() + intent.clockOffsetMs;
    const around = { now: clock, isMerchantInitiated: false, random: tools.random };
    const paid = endChallenge(intent, card, decision, around);
    if (session) return close(session, paid, []);
    const saved = paid.method ? [paid.intent, paid.method] : [paid.intent];
    return { saved, eventDrafts: paid.eventDrafts, result: { intent: paid.intent, session } };
  });

// The session follows its payment: complete once it is approved, over once the customer walked away.
const close = (
  session: SessionRecord,
  paid: Paid,
  others: readonly CardRecord[],
): Outcome<SessionState & { readonly intent: IntentRecord }> => {
  const { intent, method, eventDrafts } = paid;
  const status = statusAfter(intent);
  const closed: SessionRecord = { ...session, status, intentId: intent.id };
  const saved = [closed, intent, ...(method ? [method] : []), ...others];
  const type = status === 'complete' ? 'checkout.session.completed' : 'checkout.session.expired';
  const closing = status === 'open' ? [] : [{ type, id: session.id }];
  return { saved, eventDrafts: [...eventDrafts, ...closing], result: { session: closed, intent } };
};

const statusAfter = (intent: IntentRecord): SessionRecord['status'] => {
  if (intent.status === 'succeeded' || intent.status === 'requires_capture') return 'complete';
  return intent.status === 'canceled' ? 'expired' : 'open';
};

export const sessionStateOf = async (
  tools: CardTools,
  sessionId: string,
): Promise<SessionState | undefined> => {
  const transaction = openTransaction(tools);
  const session = await transaction.find('session', sessionId);
  if (!session) return undefined;
  const intent = session.intentId ? await transaction.find('intent', session.intentId) : undefined;
  return { session, intent };
};

export const savedCardsOf = async (
  tools: CardTools,
  session: SessionRecord,
): Promise<readonly MethodRecord[]> => {
  if (session.customerId === null) return [];
  const query = { kind: 'method', customerId: session.customerId, limit: 20 } as const;
  const methods = await tools.store.list(query);
  return methods.filter((each) => session.redisplayFilters.includes(each.allowRedisplay));
};
