import { createHash, randomUUID } from 'node:crypto';
import type { Tenant } from '../../../service/src/kernel/environment.ts';
import {
  finishAuthorisation,
  startBankPayment,
} from '../../../service/src/modules/checkout/index.ts';
import {
  cancelCardPayment,
  captureCardPayment,
} from '../../../service/src/modules/payments/card/captures.ts';
import { chargeCard } from '../../../service/src/modules/payments/card/charges.ts';
import { findOwnPayment, pollBank } from '../../../service/src/modules/payments/index.ts';
import { requestPayment } from '../../../service/src/modules/payments/requests/request-payment.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import type { IdempotencyKey } from '../../../service/src/platform/http/route.ts';
import { advance, scriptedBankId } from '../scripted-bank.ts';
import type { Model, ModelPayment } from './model.ts';
import type { Money, MoneyTools, Operation, Outcome, Weather } from './open-money.ts';
import type { ModelStore } from './open-stores.ts';

/** A key as a client sends it, equal for equal calls. */
export const newKey = (): IdempotencyKey => {
  const key = randomUUID();
  return { key, bodySha256: createHash('sha256').update(key).digest() };
};

/** A client repeats a call that was not answered, under the same key. */
export const untilAnswered = async <Value>(
  money: Money,
  outcomes: readonly Outcome<Value>[],
  operations: readonly Operation<Value>[],
): Promise<readonly Outcome<Value>[]> => {
  await money.rest();
  const again: Outcome<Value>[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    const operation = operations[at];
    const isAnswered = outcome.kind === 'DONE' || (outcome.kind === 'REFUSED' && !isLost(outcome));
    if (isAnswered || !operation) again.push(outcome);
    else again.push(...(await money.together({ seed: 1, kill: 0, fault: 0 }, [operation])));
  }
  return again;
};

const isLost = (outcome: Extract<Outcome<unknown>, { kind: 'REFUSED' }>): boolean =>
  outcome.failure.definition.status === 503;

const onlyOne = { seed: 1, kill: 0, fault: 0 } as const;

/** Payers of one request: one pays it whole, several divide it. */
export type BankOrder = {
  readonly pence: bigint;
  readonly tipPence: bigint;
  readonly people: 1 | 2 | 3;
  readonly script: readonly string[];
  readonly showsPayer: boolean;
  /** The first of the merchant when left out. */
  readonly store?: number;
};

export const payByBank = async (
  money: Money,
  order: BankOrder,
  weather: Weather,
): Promise<void> => {
  Object.assign(money.next, { script: order.script, showsPayer: order.showsPayer });
  const body = {
    customerId: 'c',
    orderId: 'order',
    amount: Number(order.pence) / 100,
    expiresIn: 400 * 24 * 3_600_000,
    splitBill: order.people > 1,
    storeId: storeOf(money, order.store).storeId,
  };
  const made = await requestPayment(money.calm, money.caller, body, null);
  const requestId = 'paymentRequestId' in made ? made.paymentRequestId : '';
  for (let person = 1; person <= order.people; person += 1)
    await money.together(weather, [(tools) => payShare(money, tools, requestId, order)]);
  if (weather.kill > 0 || weather.fault > 0) await money.move(untilPolledMs);
};

const storeOf = ({ stores }: Money, at = 0): ModelStore => {
  const store = stores[at];
  if (!store) throw new Error(`there is no store ${at}`);
  return store;
};

const payShare = async (
  { tenant, bank }: Money,
  tools: MoneyTools,
  requestId: string,
  { tipPence, people }: BankOrder,
): Promise<void> => {
  const requested = await findOwnPayment(tools, tenant, requestId);
  const started = await startBankPayment(tools, requested, {
    institutionId: scriptedBankId,
    tipPence: tipPence as never,
    ...(people > 1 ? { share: { kind: 'EQUAL', paysFor: 1, people } as const } : {}),
  });
  if (started.kind !== 'AT_BANK') return;
  const consent = bank.consents.get(started.authorisationUrl.split('/').at(-1) ?? '');
  const { oauthState } = started.attempt;
  if (!consent || !oauthState) return;
  Object.assign(consent, { status: 'AUTHORISED', code: `code-${consent.id}` });
  const returned = { code: `code-${consent.id}`, state: oauthState };
  await Promise.all([1, 2].map(() => finishAuthorisation(tools, returned, oauthState)));
};

/**
 * Whether the bank has a payment decides; the product has to say the same. One whose program died
 * before the bank had it is submitted by a later poll.
 */
export const followNewPayments = async (model: Model, money: Money): Promise<void> => {
  const known = new Set(model.payments.map(({ idempotencyId }) => idempotencyId));
  const booked = money.bank.payments.filter(({ endToEndId }) => !known.has(endToEndId));
  if (booked.length === 0) return;
  const { tools, tenant } = money;
  const rows = await tools.database.tenant(tenant.merchantId, findAttempts, {
    ...tenant,
    ids: booked.map(({ endToEndId }) => endToEndId),
  });
  for (const { endToEndId, amountPence, showsPayer } of booked) {
    const row = rows.find(({ payment_idempotency_id: id }) => id === endToEndId);
    if (!row) throw new Error(`the bank has ${endToEndId}, which was never submitted`);
    const paid: ModelPayment = {
      ...{ requestId: row.payment_request_id, attemptId: row.attempt_id },
      ...{ idempotencyId: endToEndId, method: 'PAY_BY_BANK', totalPence: amountPence, showsPayer },
      ...{ status: 'PENDING', isSettled: false, ...unlisted },
      account: money.stores.find(({ storeId }) => storeId === row.store_id)?.account ?? '',
    };
    model.payments.push(paid);
    followBank(money, paid);
  }
};

const findAttempts = statement<
  Tenant & { readonly ids: readonly string[] },
  {
    readonly payment_request_id: string;
    readonly attempt_id: string;
    readonly payment_idempotency_id: string;
    readonly store_id: string;
  }
>(
  'test_model_attempts',
  sql('merchantId', 'environment', 'ids')`
   select payment_request_id, attempt_id, payment_idempotency_id, store_id
   from attempt join payment_request using (merchant_id, environment, payment_request_id)
   where merchant_id = :merchantId and environment = :environment
     and payment_idempotency_id = any (:ids::text[])`,
);

export const bookedOf = ({ bank }: Money, idempotencyId: string) =>
  bank.payments.find(({ endToEndId }) => endToEndId === idempotencyId);

export const followBank = (money: Money, payment: ModelPayment): void => {
  if (payment.isTakenBack) return;
  const booked = bookedOf(money, payment.idempotencyId);
  const isoCode = booked?.script[booked.reached] ?? 'RCVD';
  if (isoCode === 'RJCT') payment.status = 'FAILED';
  else if (isoCode.startsWith('AC')) payment.status = 'COMPLETED';
  const isSettledAtBank = payment.status === 'COMPLETED' && isoCode !== 'ACSP';
  payment.isSettled = isSettledAtBank || (payment.status === 'COMPLETED' && payment.isMatched);
};

/** A credit that is listed settles a COMPLETED payment; of a PENDING one it waits. */
export const noteCredit = (payment: ModelPayment): void => {
  if (payment.listed === 'NOTHING' || payment.status !== 'COMPLETED') return;
  Object.assign(payment, { isMatched: true, isSettled: true });
};

const unlisted = {
  hasArrived: false,
  feePence: null,
  listed: 'NOTHING',
  isMatched: false,
  isTakenBack: false,
  refundedAtProcessorPence: 0n,
  dispute: null,
} as const;

export const pollOperation =
  ({ tenant }: Money, { requestId, attemptId }: ModelPayment): Operation<unknown> =>
  (tools) =>
    pollBank(tools, tools.bankRails.need('SANDBOX'), tenant, requestId, attemptId);

/** The bank moves a payment on; two programs poll it, while a refund of it may be wanted. */
export const moveAtBank = async (
  money: Money,
  payment: ModelPayment,
  weather: Weather,
  meanwhile: readonly Operation<unknown>[],
): Promise<readonly Outcome<unknown>[]> => {
  const booked = bookedOf(money, payment.idempotencyId);
  if (!booked) return [];
  advance(booked);
  const poll = pollOperation(money, payment);
  const [, , ...others] = await money.together<unknown>(weather, [poll, poll, ...meanwhile]);
  await money.together(onlyOne, [poll]);
  followBank(money, payment);
  return others;
};

/** An answer that was lost is polled within it. */
const untilPolledMs = 5 * 60_000;

export const payByCard = async (
  model: Model,
  money: Money,
  pence: bigint,
  isManual: boolean,
  weather: Weather,
): Promise<void> => {
  const key = newKey();
  const body = {
    ...money.card,
    captureType: isManual ? 'MANUAL_CAPTURE' : 'AUTO_CAPTURE',
    amount: Number(pence) / 100,
    orderId: `order ${key.key}`.slice(0, 40),
  };
  const charge: Operation<unknown> = async (tools) => {
    const reply = await chargeCard(tools, money.caller, body as never, key);
    await tools.chargeSender.drain();
    return reply;
  };
  const charges = [charge, charge];
  const answers = await untilAnswered(money, await money.together(weather, charges), charges);
  await money.move(untilPolledMs);
  await money.rest();
  const held = [...money.processor.payments.values()].filter(
    ({ attemptId }) => !model.payments.some((each) => each.attemptId === attemptId),
  );
  if (held.length !== 1)
    throw new Error(`${held.length} payments of one charge: ${JSON.stringify(answers)}`);
  for (const { attemptId, amountPence, status } of held)
    model.payments.push({
      ...{ requestId: await requestOf(money, attemptId), attemptId, idempotencyId: '' },
      ...{ method: 'CARD', totalPence: amountPence, showsPayer: true, isSettled: true, status },
      account: storeOf(money).account,
      ...unlisted,
    });
};

const requestOf = async ({ tools, tenant }: Money, attemptId: string): Promise<string> => {
  const [row] = await tools.database.tenant<{ attemptId: string }, { id: string }>(
    tenant.merchantId,
    {
      name: 'test_model_request_of',
      text: 'select payment_request_id as id from attempt where attempt_id = $1::uuid',
      valueNames: ['attemptId'],
    },
    { attemptId },
  );
  return row?.id ?? '';
};

/** Capture and cancel of one authorisation at the same moment: one of them happens. */
export const endAuthorisation = async (
  money: Money,
  payment: ModelPayment,
  wanted: readonly ('capture' | 'cancel')[],
  weather: Weather,
): Promise<void> => {
  const operations = wanted.map((what): Operation<unknown> => {
    const key = newKey();
    return (tools) =>
      what === 'capture'
        ? captureCardPayment(tools, money.caller, payment.requestId, key)
        : cancelCardPayment(tools, money.caller, payment.requestId, {} as never, key);
  });
  const first = await money.together(weather, operations);
  const outcomes = await untilAnswered(money, first, operations);
  await money.move(untilPolledMs);
  await money.rest();
  const atProcessor = money.processor.payments.get(payment.attemptId);
  const ended = atProcessor?.status ?? 'FAILED';
  if (payment.status === 'AUTHORIZED' && ended === 'AUTHORIZED')
    throw new Error(`nothing of ${wanted.join()} happened: ${JSON.stringify(outcomes)}`);
  if ((atProcessor?.captures ?? 0) > 1) throw new Error(`${payment.attemptId} was captured twice`);
  if (payment.status === 'AUTHORIZED' && !wanted.includes(wantedBy[ended as 'COMPLETED']))
    throw new Error(`${ended} was not wanted`);
  payment.status = ended;
};

const wantedBy = { COMPLETED: 'capture', CANCELLED: 'cancel' } as const;
