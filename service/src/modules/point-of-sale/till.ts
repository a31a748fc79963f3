import { type BodyOf, failures, limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type {
  getTillSale as operationGetTillSale,
  listTillSales as operationListTillSales,
  startTillSale as operationStartTillSale,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import {
  addPence,
  noPence,
  type Pence,
  pence,
  penceFromPounds,
  poundsNumber,
  poundsText,
} from '#kernel/pence.ts';
import { shownStoreName } from '#modules/merchants/index.ts';
import {
  cancelWithCardPages,
  createRequest,
  findOwnPayment,
  isCounted,
  isOfTill,
  isPaid,
  latestAttempt,
  type Payment,
  paymentAddresses,
  type RequestTools,
  refundedAtProcessor,
  tipToPay,
  topStatus,
  totalPence,
  waitsForPayer,
} from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import { newestFirst } from '#platform/database/pages.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import type { RequestTrace } from '#platform/http/request-trace.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { loadMade } from './payment-links.ts';
import { listSales, readRefunded } from './store.ts';

type SaleTools = Uses<'database'> & { readonly publicUrl: string };

type Sale = ReplyOf<typeof operationGetTillSale>;

export const showTillSale = async (
  tools: SaleTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Sale> => {
  const payment = await findSale(tools, tenant, paymentRequestId);
  const [sale] = await saleViews(tools, tenant, [payment]);
  if (!sale) throw new Error('a sale has no view');
  return sale;
};

/** A payment that the till did not make is none of the till's. */
const findSale = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  if (!isOfTill(payment)) throw new Failure(failures.notFound);
  return payment;
};

const saleViews = async (
  tools: SaleTools,
  tenant: Tenant,
  payments: readonly Payment[],
): Promise<readonly Sale[]> => {
  const paymentRequestIds = payments.map(({ paymentRequestId }) => paymentRequestId);
  const [names, rows] = await Promise.all([
    findNames(
      tools,
      payments.map(({ secretId }) => secretId),
    ),
    tools.database.tenant(tenant.merchantId, readRefunded, { ...tenant, paymentRequestIds }),
  ]);
  const refunded = new Map(rows.map((row) => [row.payment_request_id, pence(row.refunded_pence)]));
  return payments.map((payment) => ({
    ...saleOf(payment, tools.publicUrl),
    refundedAmount: poundsNumber(
      addPence(refunded.get(payment.paymentRequestId) ?? noPence, returnedOf(payment)),
    ),
    madeBy: names.get(payment.secretId) ?? null,
  }));
};

const saleOf = (payment: Payment, publicUrl: string) => {
  const { paymentUrl, shortUrl, qrCodeUrl } = paymentAddresses(
    publicUrl,
    payment.paymentRequestId,
    null,
  );
  const paid = payment.attempts.filter(isPaid);
  const status = topStatus(payment);
  const latest = latestAttempt(payment);
  return {
    paymentRequestId: payment.paymentRequestId,
    orderId: payment.orderId,
    status,
    amount: poundsNumber(payment.amountPence),
    tipAmount: tipOf(payment),
    paidAmount: poundsNumber(sum(paid.map(totalPence))),
    why: status === 'FAILED' ? (latest?.errorDescription ?? null) : null,
    canVoid:
      payment.status === 'OPEN' &&
      !payment.attempts.some((attempt) => isCounted(attempt) && !waitsForPayer(attempt)),
    notes: payment.notes,
    tillName: payment.tillName ?? '',
    storeId: payment.store.id,
    storeName: shownStoreName(payment.store.locationName, payment.merchant.name),
    createdAt: payment.createdAt.toISOString(),
    expiresAt: payment.expiresBusinessAt.toISOString(),
    paymentUrl,
    shortUrl,
    qrCodeUrl,
  };
};

/** What was paid, else what the till has set; null while the payer may still choose. */
const tipOf = (payment: Payment): number | null => {
  const paid = payment.attempts.filter(isPaid);
  if (paid.length > 0) return poundsNumber(sum(paid.map(({ tipPence }) => tipPence)));
  return payment.tips ? null : poundsNumber(tipToPay(payment));
};

/** Returned by the merchant in the processor's own dashboard. */
const returnedOf = ({ attempts }: Payment): Pence =>
  sum(attempts.map(({ card }) => refundedAtProcessor(card?.refunds ?? [])));

const sum = (amounts: readonly Pence[]): Pence => addPence(...amounts);

export const listTillSales = async (
  tools: SaleTools,
  tenant: Tenant,
  { storeId, tillName, before, limit }: QueryOf<typeof operationListTillSales>,
): Promise<ReplyOf<typeof operationListTillSales>> => {
  const filter = { storeId: storeId ?? null, tillName: tillName?.trim() ?? null };
  const rows = await tools.database.tenant(tenant.merchantId, listSales, {
    ...{ ...tenant, ...filter, ...newestFirst({ before, limit }) },
  });
  const { payments, nextBefore } = await loadMade(tools, tenant, rows, limit);
  return { data: [...(await saleViews(tools, tenant, payments))], nextBefore };
};

type Body = BodyOf<typeof operationStartTillSale>;

export type StartTools = RequestTools;

/** A payment request that the payer opens from the cashier's screen (TILL-1). */
export const startTillSale = (
  tools: StartTools,
  caller: Caller,
  { amount, tipAmount, tillName, storeId, orderId, notes }: Body,
  key: IdempotencyKey | null,
  { requestId, traceparent }: RequestTrace,
): Promise<ReplyOf<typeof operationStartTillSale> | Replay> => {
  // Two sales must not be taken for one another: each has an order of its own.
  const order = orderId?.trim() ?? `TILL-${tools.ids.token(50).toUpperCase()}`;
  return createRequest(
    tools,
    caller,
    {
      operation: 'startTillSale',
      body: {
        amount,
        orderId: order,
        customerId: order,
        expiresIn: limits.tillSaleMs,
        ...(storeId && { storeId }),
        ...(notes && { notes }),
      },
      making: {
        channel: 'TILL',
        tillName: tillName.trim(),
        fixedTipPence: tipAmount === undefined ? null : checkTip(tipAmount, amount),
        ...{ requestId, traceparent },
      },
    },
    key,
  );
};

/** As much as a payer may give: a typing error must not cost them a hundred times the meal. */
const checkTip = (tipAmount: number, amount: number): Pence => {
  const tipPence = penceFromPounds(tipAmount);
  if (tipPence === null) throw wrongField('tipAmount', 'must be pounds with at most two decimals');
  const amountPence = penceFromPounds(amount);
  // An amount that cannot be asked for is refused by its own rules.
  if (amountPence === null || amountPence < limits.paymentAmountPenceMin) return tipPence;
  const max = pence(amountPence * BigInt(limits.tipTimesAmountMax));
  if (tipPence > max) throw wrongField('tipAmount', `must be at most ${poundsText(max)}`);
  return tipPence;
};

export type VoidTools = SaleTools & Parameters<typeof cancelWithCardPages>[0];

/** Ends a sale that is not paid; against a payment one of both wins, and it is said which (TILL-3). */
export const voidTillSale = async (
  tools: VoidTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Sale> => {
  await findSale(tools, tenant, paymentRequestId);
  try {
    await cancelWithCardPages(tools, tenant, paymentRequestId);
  } catch (error) {
    const now = await findSale(tools, tenant, paymentRequestId);
    if (!now.attempts.some(isPaid)) throw error;
    throw new Failure(failures.invalidState, {
      message: 'It was paid, so it cannot be voided any more: refund it.',
    });
  }
  return showTillSale(tools, tenant, paymentRequestId);
};
