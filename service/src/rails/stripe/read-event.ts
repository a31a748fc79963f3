import type Stripe from 'stripe';
import type { CardEvent, CardEventsOutcome } from '#rails/card-rail.ts';
import {
  type Account,
  callProcessor,
  processorId,
  unanswered,
  unknown,
} from './account/call-processor.ts';

/** Verifies a notice and answers what to read because of it; nothing else in it is trusted. */
export const readEvent = async (
  { settings, stripe, tools }: Account,
  body: Buffer,
  signature: string,
): Promise<CardEvent> => {
  const { webhooks } = await stripe();
  let event: Stripe.Event;
  try {
    event = webhooks.constructEvent(
      body,
      signature,
      settings.webhookSecret,
      toleranceSeconds,
      undefined,
      tools.clock.now().getTime(),
    );
  } catch {
    return invalid('The notice is not signed by the card processor, or it is too old.');
  }
  if (!isEvent(event)) return invalid('The notice is not an event.');
  if (event.livemode !== (settings.environment === 'PRODUCTION'))
    return invalid('The notice is of the other environment.');
  return meaningOf(event);
};

// Deliveries are signed when they are sent; a longer tolerance would admit replays.
const toleranceSeconds = 300;

const isEvent = (event: unknown): event is Stripe.Event => {
  const { id, type, data } = (event ?? {}) as Partial<Stripe.Event>;
  const object: unknown = data?.object;
  return (
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof object === 'object' &&
    object !== null
  );
};

type Meaning = Extract<CardEvent, { readonly reference: string }>['kind'];

const meanings = new Map<string, Meaning>([
  ['checkout.session.completed', 'SESSION'],
  ['checkout.session.expired', 'SESSION'],
  ['payment_intent.succeeded', 'PAYMENT'],
  ['payment_intent.payment_failed', 'PAYMENT'],
  ['payment_intent.amount_capturable_updated', 'PAYMENT'],
  ['payment_intent.canceled', 'PAYMENT'],
  ['charge.refunded', 'PAYMENT'],
  ['refund.created', 'REFUND'],
  ['refund.updated', 'REFUND'],
  ['refund.failed', 'REFUND'],
  ['charge.dispute.created', 'DISPUTE'],
  ['charge.dispute.updated', 'DISPUTE'],
  ['charge.dispute.closed', 'DISPUTE'],
]);

/** What the objects of those events have in common, as far as it is read. */
type Subject = {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly payment_intent?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
};

const meaningOf = (event: Stripe.Event): CardEvent => {
  const eventId = processorId(event.id) ?? '';
  const kind = meanings.get(event.type);
  const subject = event.data.object as unknown as Subject;
  const isPayment = subject.object === 'payment_intent';
  const paymentReference = processorId(isPayment ? subject.id : subject.payment_intent);
  const reference = kind === 'PAYMENT' ? paymentReference : processorId(subject.id);
  if (!kind || !reference) return { kind: 'UNUSED', eventId };
  return {
    kind,
    eventId,
    reference,
    paymentReference,
    attemptId: processorId(subject.metadata?.attemptId),
    refundId: processorId(subject.metadata?.refundId),
  };
};

const paying: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
]);

const pageSize = 100;
const pagesMax = 100;

/** The processor keeps its events for 30 days. */
export const listEvents = async (account: Account, since: Date): Promise<CardEventsOutcome> => {
  const found: Stripe.Event[] = [];
  let isComplete = false;
  for (let page = 0; page < pagesMax && !isComplete; page += 1) {
    const answer = await readPage(account, since, found.at(-1)?.id);
    if (answer.kind === 'NOTHING') return unanswered(answer.why);
    if (answer.kind === 'REFUSED')
      return unknown(`The card processor does not list its events (${answer.code}).`);
    found.push(...answer.value.data);
    isComplete = !answer.value.has_more;
  }
  const paid = found
    .filter(({ type }) => paying.has(type))
    .flatMap((event) => {
      const meant = meaningOf(event);
      return 'reference' in meant ? [meant.reference] : [];
    });
  return {
    kind: 'EVENTS',
    events: found.map(meaningOf).reverse(),
    paid: new Set(paid),
    isComplete,
  };
};

const readPage = (account: Account, since: Date, after: string | undefined) =>
  callProcessor(account, { operation: 'list events', subject: since.toISOString() }, (stripe) =>
    stripe.events.list({
      types: [...meanings.keys()],
      limit: pageSize,
      created: { gte: Math.floor(since.getTime() / 1000) },
      ...(after !== undefined && { starting_after: after }),
    }),
  );

const invalid = (description: string): CardEvent => ({ kind: 'INVALID', description });
