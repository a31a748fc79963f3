import {
  type BodyOf,
  type chargeCard as described,
  failures,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import {
  noPence,
  type Pence,
  pence,
  penceFromPounds,
  poundsNumber,
  poundsText,
} from '#kernel/pence.ts';
import {
  type CardRails,
  type CardToCharge,
  type ChargeableCard,
  findChargeableCard,
  missingCard,
} from '#modules/cards/index.ts';
import { missingCustomer } from '#modules/customers/index.ts';
import { merchantSuspended, requireSwitch } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import { noTrace, type RequestTrace } from '#platform/http/request-trace.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replay, replayIfRefused } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { encryptRailState } from '../core/encrypted-columns.ts';
import { type CaptureType, captureMethodOf } from '../core/payment.ts';
import { newAttemptId } from '../core/start-attempt.ts';
import { type RecordTools, recordCardOutcome } from './outcomes.ts';
import { type Inserted, insertCharge } from './store/insert-charge.ts';

export type CheckedCharge = RequestTrace & {
  readonly customerId: string;
  readonly cardId: string;
  readonly captureType: CaptureType;
  readonly amountPence: Pence;
  readonly orderId: string;
  readonly notes: string | null;
  readonly storeId: string | null;
};

/** Rules that the contract cannot express: pence, and the two names of captureType. */
const checkCharge = (body: Body, { requestId, traceparent }: RequestTrace): CheckedCharge => {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) =>
    errors.push({ field, message: `${field} ${message}` });
  const amountPence = penceFromPounds(body.amount);
  if (amountPence === null) refuse('amount', 'must be pounds with at most two decimals');
  else if (amountPence < limits.paymentAmountPenceMin) refuse('amount', 'must be at least 1.00');
  const { captureType, capture } = body;
  if (!captureType && !capture) refuse('captureType', 'is required');
  else if (captureType && capture && captureType !== capture)
    refuse('capture', 'must equal captureType when both are given');
  const [first] = errors;
  if (first) throw new Failure(failures.badRequest, { message: `${first.message}.`, errors });
  return {
    customerId: body.customerId.toLowerCase(),
    cardId: body.paymentMethodId,
    captureType: captureType ?? capture ?? 'AUTO_CAPTURE',
    amountPence: amountPence ?? noPence,
    orderId: body.orderId,
    notes: body.notes ?? null,
    storeId: body.storeId ?? null,
    ...{ requestId, traceparent },
  };
};

export type ChargeDraft = ReturnType<typeof draftCharge>;

/** A charge of a saved card, with everything that is sent to the processor. */
export const draftCharge = (
  { ids, secrets }: Uses<'ids' | 'secrets'>,
  rail: CardRail,
  checked: CheckedCharge,
  card: ChargeableCard,
) => {
  const [paymentRequestId, attemptId] = [ids.uuid(), ids.uuid()];
  const { amountPence, captureType, orderId } = checked;
  const railState = rail.prepareCharge({
    attemptId,
    paymentRequestId,
    amountPence,
    description: `Order ${orderId}`,
    captureMethod: captureMethodOf(captureType),
    customerReference: card.customerReference,
    cardReference: card.cardReference,
    recurrenceType: card.recurrenceType,
    initiator: 'MERCHANT',
  });
  return {
    ...checked,
    paymentRequestId,
    attemptId,
    paymentIdempotencyId: newAttemptId(ids),
    card,
    railState,
    railStateEncrypted: encryptRailState(secrets, attemptId, railState),
    expiresInMs: captureType === 'AUTO_CAPTURE' ? null : lifetimeMs(rail, card.brand),
    reply: {
      paymentRequestId,
      status: 'PENDING' as const,
      amount: poundsNumber(amountPence),
      currency: 'GBP',
      orderId,
      customerId: checked.customerId,
      paymentMethodId: card.cardId,
      captureType,
    },
  };
};

const lifetimeMs = (rail: CardRail, brand: string): number =>
  rail.estimateExpiry(brand, 'MERCHANT', new Date(0)).getTime();

type Reply = ReplyOf<typeof described>;
type Body = BodyOf<typeof described>;

type ChargeTools = Uses<'database' | 'ids' | 'secrets'> & {
  readonly cardRails: CardRails;
  readonly chargeSender: ChargeSender;
};

/**
 * Charges a saved card off session: the request is committed with the Idempotency-Key, then sent
 * outside of any transaction. The reply does not wait for it.
 */
export const chargeCard = async (
  tools: ChargeTools,
  caller: Caller,
  body: Body,
  key: IdempotencyKey | null,
  trace = noTrace,
): Promise<Reply | Replay> =>
  replayIfRefused(tools, caller.tenant, 'chargeCard', key, () =>
    charge(tools, caller, checkCharge(body, trace), key),
  );

const storedReply = ({ database }: ChargeTools, { tenant }: Caller, { key }: IdempotencyKey) =>
  idempotencyStore(database).read(tenant, 'chargeCard', key);

const charge = async (
  tools: ChargeTools,
  caller: Caller,
  checked: CheckedCharge,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> => {
  const { tenant } = caller;
  const [rail, found] = await Promise.all([
    tools.cardRails.find(tenant),
    findChargeableCard(tools, tenant, checked.customerId, checked.cardId),
  ]);
  if (!rail || found.kind !== 'CHARGEABLE') return refuseBefore(tools, tenant, checked, found.kind);
  const { card } = found;
  if (card.accountKey !== rail.accountKey) throw otherAccount();
  const order = draftCharge(tools, rail, checked, card);
  const row = await insertCharge(tools.database, caller, order, key);
  if (!row?.inserted) {
    refuse(row, checked);
    // Deleted since it was read.
    if (row?.card_is_live === false) {
      const { kind } = await findChargeableCard(tools, tenant, checked.customerId, checked.cardId);
      return refuseBefore(tools, tenant, checked, kind);
    }
    if (!key) throw new Error('a card charge was neither inserted nor refused');
    return replay(await storedReply(tools, caller, key), key);
  }
  const { paymentRequestId, attemptId, railState } = order;
  tools.chargeSender.send({ rail, tenant, paymentRequestId, attemptId, railState });
  return {
    ...order.reply,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
  };
};

/** Of several reasons the one that a merchant has to settle first. */
const refuseBefore = async (
  tools: ChargeTools,
  tenant: Tenant,
  { customerId, cardId }: CheckedCharge,
  found: CardToCharge['kind'],
): Promise<never> => {
  await requireSwitch(tools, tenant, 'cards');
  await tools.cardRails.need(tenant);
  if (found === 'UNKNOWN_CUSTOMER') throw await missingCustomer(tools, tenant, customerId);
  if (found === 'DELETED_CARD')
    throw new Failure(failures.notFound, { message: 'This card was deleted.' });
  if (!isUuid(cardId))
    throw new Failure(failures.notFound, { message: 'No card was found under this id.' });
  throw await missingCard(tools, tenant, customerId, cardId);
};

const refuse = (row: Inserted | undefined, { amountPence }: CheckedCharge): void => {
  if (row?.is_suspended) throw merchantSuspended();
  if (!row?.store_found)
    refuseMember(
      'storeId',
      'storeId is not an enabled store of this business in this environment.',
    );
  else if (!row.cards_enabled)
    throw new Failure(failures.notEnabled, {
      message: 'Card payments are not enabled on this account.',
    });
  else if (amountPence > row.limit_pence)
    refuseMember('amount', `amount must be at most ${poundsText(pence(row.limit_pence))}.`);
  else if (row.is_duplicate) throw new Failure(failures.possibleDuplicate);
};

const refuseMember = (field: string, message: string): never => {
  throw badField(field, message);
};

const otherAccount = (): Failure =>
  new Failure(failures.conflict, {
    message:
      'This card was saved with another account at the card processor than the one in use now.',
  });

export type ChargeSender = {
  /** Returns at once. */
  readonly send: (charge: ChargeToSend) => void;
  /** Waits for charges in flight. */
  readonly drain: () => Promise<void>;
};

// A call takes at most half a minute; a charge that waited longer is left to the job that polls.
const startedWithinMs = 20_000;
const batchSize = 64;

/**
 * Sends charges that this process has just committed. It is only faster than the job that polls
 * open charges: a charge lost with the process is found by that job when its lease is over.
 */
export const chargeSender = (tools: RecordTools & Uses<'clock'>): ChargeSender => {
  const waiting: (ChargeToSend & { readonly sinceMs: number })[] = [];
  const running = new Set<Promise<void>>();
  const nowMs = () => tools.clock.now().getTime();
  const fill = (): void => {
    while (running.size < batchSize) {
      const next = waiting.shift();
      if (!next) return;
      if (nowMs() - next.sinceMs > startedWithinMs) continue;
      const run = sendOne(tools, next).finally(() => {
        running.delete(run);
        fill();
      });
      running.add(run);
    }
  };
  return {
    send: (charge) => {
      waiting.push({ ...charge, sinceMs: nowMs() });
      fill();
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};

const sendOne = async (tools: RecordTools, charge: ChargeToSend): Promise<void> => {
  const { rail, attemptId, paymentRequestId } = charge;
  try {
    const outcome = await rail.charge(charge.railState);
    await recordCardOutcome(tools, charge, attemptId, outcome);
  } catch (error) {
    const { message } = error as Error;
    tools.log.warn(
      { paymentRequestId, attemptId, error: message },
      'a charge will be polled later',
    );
  }
};

type ChargeToSend = {
  readonly rail: CardRail;
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly railState: string;
};
