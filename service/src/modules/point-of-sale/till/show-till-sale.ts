import { failures, type ReplyOf } from '@florin/contract';
import type { getTillSale as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { addPence, noPence, type Pence, pence, poundsNumber } from '#kernel/pence.ts';
import {
  findOwnPayment,
  isCounted,
  isOfTill,
  isPaid,
  latestAttempt,
  type Payment,
  paymentAddresses,
  refundedAtProcessor,
  tipToPay,
  topStatus,
  totalPence,
  waitsForPayer,
} from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readRefunded } from './store/till-sales.ts';

export type SaleTools = Uses<'database'> & { readonly publicUrl: string };

export type Sale = ReplyOf<typeof operation>;

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
export const findSale = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  if (!isOfTill(payment)) throw new Failure(failures.notFound);
  return payment;
};

export const saleViews = async (
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
    storeName: payment.store.locationName,
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
