import {
  type BodyOf,
  type requestPayment as described,
  failures,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { accountNeeded, merchantSuspended } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replay, replayIfRefused } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRails } from '../core/bank-rails.ts';
import {
  byProgram,
  type CheckedRequest,
  checkRequest,
  isCardOnly,
  type Making,
} from './check-request.ts';
import { paymentAddresses } from './payment-addresses.ts';
import { type Inserted, insertRequest } from './store.ts';

type Reply = ReplyOf<typeof described>;

export type RequestTools = Uses<'database' | 'ids'> & {
  readonly bankRails: BankRails;
  readonly cardRails: Pick<CardRails, 'find' | 'need'>;
  readonly publicUrl: string;
};

export type RequestOrder = {
  /** Whose Idempotency-Key it is. */
  readonly operation: string;
  readonly body: BodyOf<typeof described>;
  readonly making: Making;
};

/** Creates a payment request: one statement, also for its Idempotency-Key. */
export const requestPayment = (
  tools: RequestTools,
  caller: Caller,
  body: BodyOf<typeof described>,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> => {
  const making = caller.by.kind === 'person' ? byMember : byProgram;
  return createRequest(tools, caller, { operation: 'requestPayment', body, making }, key);
};

const byMember: Making = { ...byProgram, channel: 'DASHBOARD' };

/** The same for the till and for printed codes. */
export const createRequest = (
  tools: RequestTools,
  caller: Caller,
  order: RequestOrder,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> =>
  replayIfRefused(tools, caller.tenant, order.operation, key, () =>
    create(tools, caller, order, key),
  );

const create = async (
  tools: RequestTools,
  caller: Caller,
  { operation, body, making }: RequestOrder,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> => {
  const { environment } = caller.tenant;
  const institutions = tools.bankRails.find(environment)?.institutions() ?? [];
  const banks = new Set(institutions.map(({ id }) => id));
  const checked = checkRequest(body, environment, banks, making);
  await requireRail(tools, caller, checked);
  const paymentRequestId = tools.ids.uuid();
  const reply = paymentAddresses(tools.publicUrl, paymentRequestId, checked.template);
  const saved = { operation, key, reply: JSON.stringify(reply) };
  const row = await insertRequest(tools.database, caller, paymentRequestId, checked, saved);
  if (row?.inserted) return reply;
  refuseUnknown(row, checked);
  if (!key) throw new Error('a payment request was neither inserted nor refused');
  const store = idempotencyStore(tools.database);
  return replay(await store.read(caller.tenant, operation, key.key), key);
};

const refuseUnknown = (row: Inserted | undefined, checked: CheckedRequest): void => {
  if (row?.is_suspended) throw merchantSuspended();
  if (!row?.store_found)
    refuse('storeId', 'storeId is not an enabled store of this business in this environment.');
  else if (row.account_needed) throw new Failure(failures.notEnabled, { message: accountNeeded });
  else if (!row.customer_found)
    refuse('atoaCustomerId', 'The customer was not found or does not belong to this business.');
  else if (checked.amountPence > row.limit_pence)
    refuse('amount', `amount must be at most ${poundsText(pence(row.limit_pence))}.`);
  else if (!row.cards_enabled && (checked.savesPaymentMethod || isCardOnly(checked)))
    throw new Failure(failures.notEnabled, {
      message: checked.savesPaymentMethod
        ? 'Card payments are not enabled on this account, so no card can be saved.'
        : 'Card payments are not enabled on this account.',
    });
};

const refuse = (field: string, message: string): never => {
  throw badField(field, message);
};

/** No payer is sent to a page that offers no way to pay. */
const requireRail = async (
  { bankRails, cardRails }: RequestTools,
  { tenant }: Caller,
  checked: CheckedRequest,
): Promise<void> => {
  if (isCardOnly(checked)) await cardRails.need(tenant);
  else if (checked.paymentMethods !== null || !bankRails.find(tenant.environment)) {
    // By default everything available is offered; requested banks have to exist.
    const hasCards = checked.paymentMethods === null && (await cardRails.find(tenant)) !== null;
    if (!hasCards) bankRails.need(tenant.environment);
  }
};
