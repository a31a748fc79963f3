import {
  type BodyOf,
  type requestPayment as described,
  failures,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { normalisePhone } from '#kernel/normalise-phone.ts';
import { type Pence, pence, penceFromPounds, pointAdvice, poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import {
  accountNeeded,
  isAllowedRedirectUrl,
  merchantSuspended,
  noCollectingAccount,
} from '#modules/merchants/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import { noTrace, type RequestTrace } from '#platform/http/request-trace.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replay, replayIfRefused } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankRails } from '../core/bank-rails.ts';
import type { Channel, RequestFields } from '../core/store/request-columns.ts';
import { checkLineItems, type Refuse, tidyNote } from './check-line-items.ts';
import { paymentAddresses } from './payment-addresses.ts';
import { type Inserted, insertRequest, isCardOnly } from './store.ts';

type Reply = ReplyOf<typeof described>;

export type RequestTools = Uses<'database' | 'ids'> & {
  readonly bankRails: BankRails;
  readonly cardRails: Pick<CardRails, 'find' | 'need'>;
  readonly publicUrl: string;
};

type RequestOrder = {
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
  { requestId, traceparent } = noTrace,
): Promise<Reply | Replay> => {
  const channel = caller.by.kind === 'person' ? 'DASHBOARD' : 'API';
  const making: Making = { ...byProgram, channel, requestId, traceparent };
  return createRequest(tools, caller, { operation: 'requestPayment', body, making }, key);
};

const byProgram: Making = { channel: 'API', tillName: null, fixedTipPence: null, ...noTrace };

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
  const isBank = (wanted: string): boolean =>
    tools.bankRails
      .find(environment)
      ?.institutions()
      .some(({ id }) => id === wanted) ?? false;
  const checked = checkRequest(body, environment, isBank, making);
  await requireRail(tools, caller, checked);
  const paymentRequestId = tools.ids.uuid();
  const reply = paymentAddresses(tools.publicUrl, paymentRequestId, checked.template);
  const saved = { operation, key, reply: JSON.stringify(reply) };
  const row = await insertRequest(tools.database, caller, paymentRequestId, checked, saved);
  if (row?.inserted) return reply;
  refuseUnknown(row, checked, environment);
  if (!key) throw new Error('a payment request was neither inserted nor refused');
  const store = idempotencyStore(tools.database);
  return replay(await store.read(caller.tenant, operation, key.key), key);
};

const refuseUnknown = (
  row: Inserted | undefined,
  checked: CheckedRequest,
  environment: Environment,
): void => {
  if (row?.is_suspended) throw merchantSuspended();
  if (row?.collecting_needed) throw noCollectingAccount(environment);
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

type Body = BodyOf<typeof described>;

/** The request body with its defaults and checked rules (REQUEST-1). */
export type CheckedRequest = RequestFields & {
  readonly amountPence: Pence;
  readonly fixedTipPence: Pence | null;
  readonly storeId: string | null;
  /** Null: as the merchant has set it. */
  readonly expiresInMs: number | null;
};

/** What is known of a request beside its body. */
export type Making = RequestTrace & {
  readonly channel: Channel;
  readonly tillName: string | null;
  readonly fixedTipPence: Pence | null;
};

export const checkRequest = (
  body: Body,
  environment: Environment,
  isBank: (institutionId: string) => boolean,
  making: Making = byProgram,
): CheckedRequest => {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ field, message });
  const amountPence = checkAmount(body.amount, refuse);
  const checked = withDefaults(body, making, {
    amountPence,
    lineItems: checkLineItems(body.lineItems, amountPence, refuse),
    customerId: checkCustomerId(body, refuse),
    callbackParams: checkCallbackParams(body.callbackParams ?? {}, refuse),
    expiresInMs: checkExpiresIn(body.expiresIn, refuse),
    redirectUrl: checkRedirectUrl(body.redirectUrl, environment, refuse),
  });
  if (checked.institutionId !== null && !isBank(checked.institutionId))
    refuse('institutionId', 'is not a bank of GET /api/institutions');
  checkSaving(checked, refuse);
  const [first] = errors;
  if (first)
    throw new Failure(failures.badRequest, {
      message: `${first.field} ${first.message}.`,
      errors: errors.map(({ field, message }) => ({ field, message: `${field} ${message}` })),
    });
  return checked;
};

type Checked = Pick<
  CheckedRequest,
  'amountPence' | 'lineItems' | 'customerId' | 'callbackParams' | 'expiresInMs' | 'redirectUrl'
>;

/**
 * The other members the contract has checked already. Nothing is spread into it: each member after a spread
 * costs V8 a look-up, 3 % of a create.
 */
const withDefaults = (body: Body, making: Making, checked: Checked): CheckedRequest => ({
  merchantCustomerReference: body.customerId,
  orderId: body.orderId,
  savesPaymentMethod: body.savePaymentMethod ?? false,
  autoRedirects: body.autoRedirect ?? false,
  strictExpiry: body.strictExpiry ?? false,
  tipsEnabled: body.enableTips ?? true,
  retryAllowed: body.allowRetry ?? true,
  splitsBill: body.splitBill ?? false,
  storeId: body.storeId ?? null,
  paymentMethods: body.paymentMethod ?? null,
  institutionId: body.institutionId ?? null,
  consumerDetails: consumerDetails(body.consumerDetails),
  notes: body.notes ?? null,
  payerNote: tidyNote(body.payerNote),
  template: body.template ?? null,
  paymentType: body.paymentType ?? null,
  channel: making.channel,
  tillName: making.tillName,
  requestId: making.requestId,
  traceparent: making.traceparent,
  fixedTipPence: making.fixedTipPence,
  amountPence: checked.amountPence,
  lineItems: checked.lineItems,
  customerId: checked.customerId,
  callbackParams: checked.callbackParams,
  expiresInMs: checked.expiresInMs,
  redirectUrl: checked.redirectUrl,
});

const consumerDetails = (sent: Body['consumerDetails']) => {
  if (!sent) return null;
  const { phoneCountryCode, phoneNumber, ...rest } = sent;
  return { ...rest, ...normalisePhone({ phoneCountryCode, phoneNumber }) };
};

const checkAmount = (amount: number | string, refuse: Refuse): Pence => {
  // Some clients send four decimals: 12.5000.
  const amountPence = penceFromPounds(String(amount).replace(/(\.\d\d)0+$/, '$1'));
  if (amountPence === null)
    refuse('amount', `must be pounds with at most two decimals${pointAdvice(amount)}`);
  else if (amountPence < limits.paymentAmountPenceMin) refuse('amount', 'must be at least 1.00');
  return amountPence ?? (0n as Pence);
};

const checkExpiresIn = (expiresIn: number | string | undefined, refuse: Refuse): number | null => {
  if (expiresIn === undefined) return null;
  const expiresInMs = /^\d{1,15}$/.test(String(expiresIn)) ? Number(expiresIn) : Number.NaN;
  if (expiresInMs >= limits.expiresInMsMin && expiresInMs <= limits.expiresInMsMax)
    return expiresInMs;
  refuse('expiresIn', `must be whole milliseconds from ${limits.expiresInMsMin} to 400 days`);
  return null;
};

const checkCustomerId = (body: Body, refuse: Refuse): string | null => {
  const { atoaCustomerId, serviceCustomerId } = body;
  if (atoaCustomerId && serviceCustomerId && atoaCustomerId !== serviceCustomerId)
    refuse('serviceCustomerId', 'must equal atoaCustomerId when both are given');
  return atoaCustomerId ?? serviceCustomerId ?? null;
};

/** https in production, http too in sandbox, an app's own scheme in both (REQUEST-10). */
const checkRedirectUrl = (
  redirectUrl: string | undefined,
  environment: Environment,
  refuse: Refuse,
): string | null => {
  if (redirectUrl !== undefined && !isAllowedRedirectUrl(redirectUrl, environment))
    refuse('redirectUrl', 'must be an https address or one of your app');
  return redirectUrl ?? null;
};

const checkCallbackParams = (
  callbackParams: RequestFields['callbackParams'],
  refuse: Refuse,
): RequestFields['callbackParams'] => {
  // Published clients send {"":""} for none.
  const { '': unnamed, ...named } = callbackParams;
  const given = unnamed === '' ? named : callbackParams;
  for (const [key, value] of Object.entries(given)) {
    if (key === '' || key.length > limits.callbackParamKeyLength)
      refuse(
        'callbackParams',
        `must have names of 1 to ${limits.callbackParamKeyLength} characters`,
      );
    if (String(value).length > limits.callbackParamValueLength)
      refuse(
        `callbackParams.${key}`,
        `must have at most ${limits.callbackParamValueLength} characters`,
      );
  }
  return given;
};

/** REQUEST-3: what saving a card needs. */
const checkSaving = (
  checked: Pick<
    CheckedRequest,
    'savesPaymentMethod' | 'customerId' | 'paymentMethods' | 'splitsBill'
  >,
  refuse: Refuse,
): void => {
  if (!checked.savesPaymentMethod) return;
  if (!checked.customerId) refuse('atoaCustomerId', 'is required to save a payment method');
  if (!checked.paymentMethods?.includes('CARD'))
    refuse('paymentMethod', 'must include CARD to save a payment method');
  if (checked.splitsBill) refuse('splitBill', 'cannot be used when a payment method is saved');
};
