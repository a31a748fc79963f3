import { failures, type getSdkPaymentStatus, type ReplyOf } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { v1Signatures } from '#modules/checkout/index.ts';
import { findPublicId, type PublicIdKind } from '#modules/merchants/index.ts';
import {
  type Attempt,
  decidingAttempt,
  loadPayment,
  type Payment,
  standingAttempt,
} from '#modules/payments/index.ts';
import { readRefundsOf } from '#modules/refunds/index.ts';
import { attemptStatus, type Flat, flatTransaction } from './flat-transaction.ts';
import { readStatus, type StatusTools } from './get-payment-status.ts';
import { seenByAnyPayer } from './seen-by-any-payer.ts';

/** By paymentIdempotencyId, in either environment; a superseded one answers with the winner (BANK-3). */
export const getFlatTransaction = async (
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
export const getFlatRequest = async (
  tools: StatusTools,
  paymentRequestId: string,
): Promise<Flat> => {
  const payment = await linkedPayment(tools, paymentRequestId.toLowerCase(), 'PAYMENT_REQUEST');
  const { seen, status } = seenByAnyPayer(payment);
  return flat(tools, seen, decidingAttempt(seen) ?? null, status);
};

export const getSdkStatus = async (
  tools: StatusTools,
  paymentRequestId: string,
): Promise<ReplyOf<typeof getSdkPaymentStatus>> => {
  const payment = await linkedPayment(tools, paymentRequestId.toLowerCase(), 'PAYMENT_REQUEST');
  const { seen, status } = seenByAnyPayer(payment);
  return readStatus(tools, seen, false, status);
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
  const found = await findPublicId(tools, publicId, kind);
  const payment = found && (await loadPayment(tools.database, found.tenant, found.targetId));
  if (!payment) throw notFound();
  return payment;
};

const notFound = (): Failure =>
  new Failure(failures.notFound, { message: 'There is no payment with this id.' });
