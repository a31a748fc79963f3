import {
  failures,
  getSdkPaymentStatus,
  getSdkTransaction,
  getTransaction,
  getTransactionV2,
  type ReplyOf,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { v1Signatures } from '#modules/checkout/index.ts';
import { findOpenId, type PublicIdKind } from '#modules/merchants/index.ts';
import {
  type Attempt,
  decidingAttempt,
  isTry,
  loadPayment,
  type Payment,
  standingAttempt,
} from '#modules/payments/index.ts';
import { readRefundsOf } from '#modules/refunds/index.ts';
import { openRoute, type Route } from '#platform/http/route.ts';
import { attemptStatus, type Flat, flatTransaction, seenByAnyPayer } from './flat-transaction.ts';
import { readStatus, type StatusTools } from './merchant-routes.ts';

/** By paymentIdempotencyId, in either environment; a superseded one answers with the winner (BANK-3). */
const getFlatTransaction = async (
  tools: StatusTools,
  paymentIdempotencyId: string,
): Promise<Flat> => {
  const payment = await linkedPayment(tools, paymentIdempotencyId, 'ATTEMPT');
  const named = payment.attempts.find((each) => each.paymentIdempotencyId === paymentIdempotencyId);
  if (!named) throw notFound();
  const attempt = standingAttempt(payment, named);
  return flat(tools, payment, attempt, attemptStatus(payment, attempt));
};

/** By paymentRequestId: the payment that decides the status of the request. */
const getFlatRequest = async (tools: StatusTools, paymentRequestId: string): Promise<Flat> => {
  const payment = await linkedPayment(tools, paymentRequestId.toLowerCase(), 'PAYMENT_REQUEST');
  const { seen, status } = seenByAnyPayer(payment);
  const attempt = decidingAttempt(seen) ?? null;
  // Shops wait for an outcome: the payer said no at the bank, though another try may follow.
  const isWhole = status === 'PAYMENT_NOT_INITIATED' && !payment.splitsBill;
  const isDeclined = isWhole && attempt !== null && isTry(attempt);
  return flat(tools, seen, attempt, isDeclined ? attempt.status : status);
};

const getSdkStatus = async (
  tools: StatusTools,
  paymentRequestId: string,
): Promise<ReplyOf<typeof getSdkPaymentStatus>> => {
  const payment = await linkedPayment(tools, paymentRequestId.toLowerCase(), 'PAYMENT_REQUEST');
  const { seen, status } = seenByAnyPayer(payment);
  return readStatus(tools, seen, 'NOTHING', status);
};

const flat = async (
  tools: StatusTools,
  payment: Payment,
  attempt: Attempt | null,
  status: string,
): Promise<Flat> => {
  const refunds = await readRefundsOf(tools.database, payment.tenant, payment.paymentRequestId);
  const banks = tools.bankRails.find(payment.tenant.environment)?.institutions() ?? [];
  return flatTransaction(payment, {
    attempt,
    status,
    refunds: refunds.filter(({ attemptId }) => attemptId === attempt?.attemptId),
    signatures: await v1Signatures(tools, payment, attempt),
    bankName: (institutionId) => banks.find(({ id }) => id === institutionId)?.name ?? null,
  });
};

const linkedPayment = async (
  tools: StatusTools,
  publicId: string,
  kind: PublicIdKind,
): Promise<Payment> => {
  const found = await findOpenId(tools, publicId, kind);
  const payment = found && (await loadPayment(tools.database, found.tenant, found.targetId));
  if (!payment) throw notFound();
  return payment;
};

const notFound = (): Failure =>
  new Failure(failures.notFound, { message: 'There is no payment with this id.' });

/** What existing pages, apps and shops of merchants poll. */
export const sdkRoutes = (tools: StatusTools): readonly Route[] => [
  openRoute(getTransaction, ({ params, query }) =>
    query.type === 'request'
      ? getFlatRequest(tools, params.id)
      : getFlatTransaction(tools, params.id),
  ),
  openRoute(getTransactionV2, ({ params }) =>
    getFlatTransaction(tools, params.paymentIdempotencyId),
  ),
  openRoute(getSdkTransaction, ({ params }) =>
    getFlatTransaction(tools, params.paymentIdempotencyId),
  ),
  openRoute(getSdkPaymentStatus, ({ params }) => getSdkStatus(tools, params.paymentRequestId)),
];
