import {
  type BodyOf,
  type requestPayment as described,
  failures,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsText } from '#kernel/money.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replay } from '#platform/idempotency/keep-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRails } from './bank-rails.ts';
import { type CheckedRequest, checkRequest } from './check-request.ts';
import { paymentAddresses } from './payment-addresses.ts';
import { type Inserted, insertRequest } from './store/insert-request.ts';

type Reply = ReplyOf<typeof described>;

/** Creates a payment request: one statement, also for its Idempotency-Key. */
export const requestPayment = async (
  tools: Uses<'database' | 'ids'> & { readonly bankRails: BankRails; readonly publicUrl: string },
  caller: Caller,
  body: BodyOf<typeof described>,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> => {
  const { environment } = caller.tenant;
  const rail = tools.bankRails.need(environment);
  const banks = new Set(rail.institutions().map(({ id }) => id));
  const checked = checkRequest(body, environment, banks);
  refuseCardOnly(checked);
  const paymentRequestId = tools.ids.uuid();
  const reply = paymentAddresses(tools.publicUrl, paymentRequestId, checked.template);
  const kept = { key, reply: JSON.stringify(reply) };
  const row = await insertRequest(tools.database, caller, paymentRequestId, checked, kept);
  if (row?.inserted) return reply;
  refuseUnknown(row, checked);
  if (!key) throw new Error('a payment request was neither inserted nor refused');
  const store = idempotencyStore(tools.database);
  return replay(await store.read(caller.tenant, 'requestPayment', key.key), key);
};

const refuseUnknown = (row: Inserted | undefined, checked: CheckedRequest): void => {
  if (!row?.store_found)
    refuse('storeId', 'storeId is not an enabled store of this business in this environment.');
  else if (!row.customer_found)
    refuse('atoaCustomerId', 'The customer was not found or does not belong to this business.');
  else if (checked.amountPence > row.limit_pence)
    refuse('amount', `amount must be at most ${poundsText(pence(row.limit_pence))}.`);
  else if (checked.savesPaymentMethod && !row.cards_enabled)
    throw new Failure(failures.notEnabled, {
      message: 'Card payments are not enabled on this account, so no card can be saved.',
    });
};

const refuse = (field: string, message: string): never => {
  throw new Failure(failures.badRequest, { message, errors: [{ field, message }] });
};

const refuseCardOnly = (checked: CheckedRequest): void => {
  if (checked.paymentMethods && !checked.paymentMethods.includes('PAY_BY_BANK'))
    throw new Failure(failures.railNotConfigured, {
      message: 'No card rail is configured, so a payment cannot be offered by card alone.',
    });
};
