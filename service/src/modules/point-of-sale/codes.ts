import { createHash } from 'node:crypto';
import {
  type BodyOf,
  failures,
  limits,
  type PageOperator,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type {
  createPaymentCode as operationCreatePaymentCode,
  listPaymentCodes as operationListPaymentCodes,
  setPaymentCodeStatus as statusOperation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence, penceFromPounds, poundsNumber, poundsText } from '#kernel/pence.ts';
import type { FormTokens } from '#modules/checkout/index.ts';
import { findPublicId, findStore, type Merchant, readMerchant } from '#modules/merchants/index.ts';
import { createRequest, type RequestTools } from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import { shown } from '#platform/database/rows.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import type { RequestTrace } from '#platform/http/request-trace.ts';
import {
  type Caller,
  type DecideOnce,
  type IdempotencyKey,
  isReplay,
} from '#platform/http/route.ts';
import { replayIfRefused } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import {
  beginPayment,
  type CodeRow,
  insertCode,
  listCodes,
  readCode,
  updateCodeStatus,
} from './store.ts';

export type CodeTools = Uses<'database' | 'ids'> & { readonly publicUrl: string };

type Listed = ReplyOf<typeof operationListPaymentCodes>;
type Code = Listed['data'][number];

export const listOwnCodes = async (
  tools: CodeTools,
  tenant: Tenant,
  { status, orderBy = 'NEWEST', page, size }: QueryOf<typeof operationListPaymentCodes>,
): Promise<Listed> => {
  const values = { ...tenant, status: status ?? null, orderBy, skipped: page * size, limit: size };
  const rows = await tools.database.tenant(tenant.merchantId, listCodes, values);
  return { data: await codeViews(tools, rows), totalCount: Number(rows[0]?.total ?? 0) };
};

export const setCodeStatus = async (
  tools: CodeTools,
  tenant: Tenant,
  codeId: string,
  { status }: BodyOf<typeof statusOperation>,
): Promise<Code> => {
  const values = { ...tenant, codeId, status };
  const [changed] = await tools.database.tenant(tenant.merchantId, updateCodeStatus, values);
  if (!changed) throw new Failure(failures.notFound);
  return showCode(tools, tenant, codeId);
};

const showCode = async (tools: CodeTools, tenant: Tenant, codeId: string): Promise<Code> => {
  const values = { ...tenant, codeId };
  const rows = await tools.database.tenant(tenant.merchantId, readCode, values);
  const [code] = await codeViews(tools, rows);
  if (!code) throw new Error('a code was not found again');
  return code;
};

const codeViews = async (tools: CodeTools, rows: readonly CodeRow[]): Promise<Code[]> => {
  const makers = rows.map((row) => row.made_by);
  const names = await findNames(tools, makers);
  return rows.map((row) => ({
    ...shown(row),
    amount: poundsOf(row.amount_pence),
    minAmount: poundsOf(row.min_pence),
    maxAmount: poundsOf(row.max_pence),
    madeBy: names.get(row.made_by) ?? null,
    codeUrl: `${tools.publicUrl}/c/${row.token}`,
    qrCodeUrl: `${tools.publicUrl}/c/${row.token}/qr.svg`,
  }));
};

const poundsOf = (amount: bigint | null): number | null =>
  amount === null ? null : poundsNumber(pence(amount));

type Body = BodyOf<typeof operationCreatePaymentCode>;

/** Makes a code to print. Its id and token are decided once, so a repeat makes no second one. */
export const createCode = async (
  tools: CodeTools,
  { tenant, secretId }: Caller,
  body: Body,
  decideOnce: DecideOnce,
): Promise<Code> => {
  const { paymentLimitPence } = await readMerchant(tools, tenant);
  const amounts = checkAmounts(body, paymentLimitPence);
  if (body.storeId) await findStore(tools, tenant, body.storeId);
  const decided = await decideOnce(async () => `${tools.ids.uuid()} ${tools.ids.token(110)}`);
  const [codeId = '', token = ''] = decided.split(' ');
  const values = { ...tenant, codeId, token, madeBy: secretId, max: limits.paymentCodes };
  const [made] = await tools.database.tenant(tenant.merchantId, insertCode, {
    ...values,
    ...amounts,
    storeId: body.storeId ?? null,
    label: body.label.trim(),
  });
  if (!made)
    throw new Failure(failures.invalidState, {
      message: `There are ${limits.paymentCodes} codes already, or the store takes no payments.`,
    });
  return showCode(tools, tenant, made.code_id);
};

/** Fixed, or open between two; all within what the merchant takes. */
const checkAmounts = ({ amount, minAmount, maxAmount }: Body, limitPence: Pence) => {
  if (amount !== undefined) {
    if (minAmount !== undefined || maxAmount !== undefined)
      throw wrongField(
        minAmount === undefined ? 'maxAmount' : 'minAmount',
        'is for an open amount',
      );
    const amountPence = checkAmount('amount', amount, limitPence).toString();
    return { amountPence, minPence: null, maxPence: null };
  }
  const min = checkAmount('minAmount', minAmount ?? minPounds, limitPence);
  const max = checkAmount('maxAmount', maxAmount ?? poundsNumber(limitPence), limitPence);
  if (min > max) throw wrongField('maxAmount', 'must be at least minAmount');
  return { amountPence: null, minPence: min.toString(), maxPence: max.toString() };
};

const minPounds = limits.paymentAmountPenceMin / 100;

const checkAmount = (field: string, pounds: number, limitPence: Pence): Pence => {
  const amount = penceFromPounds(pounds);
  if (amount === null) throw wrongField(field, 'must be pounds with at most two decimals');
  if (amount < limits.paymentAmountPenceMin) throw wrongField(field, 'must be at least 1.00');
  if (amount > limitPence) throw wrongField(field, `must be at most ${poundsText(limitPence)}`);
  return amount;
};

export type CodePageTools = RequestTools & {
  readonly formTokens: FormTokens;
  readonly operator: PageOperator;
};

export type FoundCode = {
  readonly tenant: Tenant;
  readonly code: CodeRow;
  readonly merchant: Merchant;
};

const printed = /^[0-9a-z]{20,40}$/;

export const findCode = async (tools: CodePageTools, token: string): Promise<FoundCode | null> => {
  const found = printed.test(token) ? await findPublicId(tools, token, 'PAYMENT_CODE') : null;
  if (!found) return null;
  const { tenant, targetId: codeId } = found;
  const [[code], merchant] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readCode, { ...tenant, codeId }),
    readMerchant(tools, tenant),
  ]);
  return code ? { tenant, code, merchant } : null;
};

/** Of an open amount, within what the merchant takes now. */
export const rangeOf = ({ code, merchant }: FoundCode) => {
  const limit = merchant.paymentLimitPence;
  const max = code.max_pence ?? limit;
  return {
    min: code.min_pence ?? BigInt(limits.paymentAmountPenceMin),
    max: isAbove(max, limit) ? limit : max,
  };
};

const isAbove = (one: bigint, other: bigint): boolean => one > other;

/**
 * A payment request of its own for each opening of the page. The same form sent again, by a second tap
 * or a retry, leads to the same one; another amount is another payment (CODE-2).
 */
export const payByCode = async (
  tools: CodePageTools,
  found: FoundCode,
  visit: string,
  amount: bigint,
  trace: RequestTrace,
): Promise<string> => {
  const { tenant, code } = found;
  const text = `${code.code_id}.${visit}.${amount}`;
  const key = { key: text, bodySha256: createHash('sha256').update(text).digest() };
  const made = await replayIfRefused(tools, tenant, 'payByCode', key, async () => {
    await countPayment(tools, found, key);
    return requestByCode(tools, found, amount, key, trace);
  });
  const reply = isReplay(made) ? JSON.parse(made.replayed.reply) : made;
  return reply.paymentRequestId;
};

/** A code is on one table: more than this is a program, not a queue of people. */
const countPayment = async (
  { database }: CodePageTools,
  { tenant, code }: FoundCode,
  { bodySha256 }: IdempotencyKey,
): Promise<void> => {
  const [begun] = await database.tenant(tenant.merchantId, beginPayment, {
    ...tenant,
    codeId: code.code_id,
    payment: bodySha256.toString('hex').slice(0, 16),
    withinMs: limits.codePaymentsWithinMs,
    max: limits.codePayments,
  });
  if (begun) return;
  const retryAfterSeconds = limits.codePaymentsWithinMs / 1_000;
  throw new Failure(failures.rateLimited, { retryAfterSeconds });
};

const requestByCode = (
  tools: CodePageTools,
  { tenant, code }: FoundCode,
  amount: bigint,
  key: IdempotencyKey,
  trace: RequestTrace,
) => {
  const orderId = `CODE-${tools.ids.token(50).toUpperCase()}`;
  return createRequest(
    tools,
    {
      tenant,
      secretId: code.code_id,
      redirectUrl: null,
      isReadOnly: false,
      by: { kind: 'secret' },
    },
    {
      operation: 'payByCode',
      body: {
        amount: poundsText(pence(amount)),
        orderId,
        customerId: orderId,
        storeId: code.store_id,
        notes: code.label,
        expiresIn: limits.codePaymentMs,
      },
      making: { channel: 'CODE', tillName: null, fixedTipPence: null, ...trace },
    },
    key,
  );
};
