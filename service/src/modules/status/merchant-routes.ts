import {
  type getPaymentStatus as described,
  searchTransactions as describedSearch,
  getPaymentStatus as describedStatus,
  failures,
  type ReplyOf,
} from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { v1Signatures } from '#modules/checkout/index.ts';
import { findPublicId } from '#modules/merchants/index.ts';
import {
  type BankRails,
  decryptPayer,
  findOwnPayment,
  loadPayment,
  type Payment,
  type TopStatus,
  topStatus,
} from '#modules/payments/index.ts';
import { readRefundsOf } from '#modules/refunds/index.ts';
import { type Caller, openRoute, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { paymentStatusView, type SeenOfPayer, seenOfPayer } from './payment-status-view.ts';
import { searchTransactions } from './search-transactions.ts';

export type StatusTools = Uses<'database' | 'secrets'> & { readonly bankRails: BankRails };

type Wanted = { readonly paymentRequestId: string; readonly env: string | undefined };

/** The status object, with as much of the payer as the caller may read (STATUS-3). */
const getPaymentStatus = async (
  tools: StatusTools,
  caller: Caller | null,
  wanted: Wanted,
): Promise<ReplyOf<typeof described>> => {
  const payment = caller
    ? await ownPayment(tools, caller, wanted)
    : await linkedPayment(tools, wanted);
  return readStatus(tools, payment, seenOfPayer(caller));
};

export const readStatus = async (
  tools: StatusTools,
  payment: Payment,
  seen: SeenOfPayer,
  status: TopStatus = topStatus(payment),
): Promise<ReplyOf<typeof described>> => {
  const rail = tools.bankRails.find(payment.tenant.environment);
  const names = new Map(rail?.institutions().map(({ id, name }) => [id, name]));
  const refunds = await readRefundsOf(tools.database, payment.tenant, payment.paymentRequestId);
  return paymentStatusView(payment, {
    status,
    signatures: await v1Signatures(tools, payment),
    bankName: (institutionId) => names.get(institutionId) ?? null,
    refundsOf: ({ attemptId }) => refunds.filter((refund) => refund.attemptId === attemptId),
    payerOf: (attempt) => decryptPayer(tools.secrets, attempt),
    seen,
  });
};

const environmentOf = (env: string | undefined): Environment =>
  env === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';

const ownPayment = (tools: StatusTools, caller: Caller, wanted: Wanted): Promise<Payment> => {
  if (wanted.env !== undefined && environmentOf(wanted.env) !== caller.tenant.environment)
    throw new Failure(failures.environmentMismatch, {
      message: `env is ${wanted.env}, but the access secret belongs to the other environment.`,
    });
  return findOwnPayment(tools, caller.tenant, wanted.paymentRequestId);
};

/** Without a secret an omitted env means production: what a newcomer forgets (STATUS-2). */
const notFoundWords = ({ env }: Wanted): string =>
  env === undefined
    ? 'There is no payment request with this id in production. Without an access secret, add ' +
      '?env=sandbox to read one of the sandbox.'
    : `There is no payment request with this id in ${env}.`;

const linkedPayment = async (tools: StatusTools, wanted: Wanted): Promise<Payment> => {
  const found = await findPublicId(tools, wanted.paymentRequestId, 'PAYMENT_REQUEST');
  if (!found || found.tenant.environment !== environmentOf(wanted.env))
    throw new Failure(failures.notFound, { message: notFoundWords(wanted) });
  const payment = await loadPayment(tools.database, found.tenant, found.targetId);
  if (!payment) throw new Failure(failures.notFound);
  return payment;
};

export const merchantRoutes = (tools: StatusTools): readonly Route[] => [
  openRoute(describedStatus, ({ params, query }, caller) =>
    getPaymentStatus(tools, caller, { paymentRequestId: params.id, env: query.env }),
  ),
  route(describedSearch, ({ query, body }, { tenant }) =>
    searchTransactions(tools, tenant, query, body),
  ),
];
