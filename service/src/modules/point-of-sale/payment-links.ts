import { renderLinkMail } from '@florin/checkout';
import { type BodyOf, failures, limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type {
  getPaymentLink as operationGetPaymentLink,
  listPaymentLinks as operationListPaymentLinks,
  mailPaymentLink as operationMailPaymentLink,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { addPence, penceFromPounds, poundsNumber, poundsText } from '#kernel/pence.ts';
import { isEmailAddress, queuePaymentLinkMail } from '#modules/checkout/index.ts';
import { merchantSuspended, shownStoreName } from '#modules/merchants/index.ts';
import {
  findOwnPayment,
  isPaid,
  loadPayment,
  type Payment,
  paymentAddresses,
  requestedPence,
  topStatus,
  totalPence,
} from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import { continuedPage, newestFirst, totalsOf } from '#platform/database/pages.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replayIfRefused } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { addLinks, type ListedPayment, listLinks } from './store.ts';

type Made = { readonly payments: readonly Payment[]; readonly nextBefore: string | null };

/** A page of payments, of rows that name them. */
export const loadMade = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  rows: readonly ListedPayment[],
  limit: number,
): Promise<Made> => {
  const { data, nextBefore } = continuedPage(rows, limit, (row) => row.payment_request_id);
  const found = await Promise.all(data.map((id) => loadPayment(database, tenant, id)));
  return { payments: found.filter((payment) => payment !== null), nextBefore };
};

type LinkTools = Uses<'database'> & { readonly publicUrl: string };

/** Of any payment request: a member may show the code of what a program has made, too. */
export const getPaymentLink = async (
  tools: LinkTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<ReplyOf<typeof operationGetPaymentLink>> => {
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  const names = await findNames(tools, [payment.secretId]);
  const addresses = paymentAddresses(tools.publicUrl, payment.paymentRequestId, null);
  return {
    paymentRequestId: payment.paymentRequestId,
    orderId: payment.orderId,
    amount: poundsNumber(payment.amountPence),
    notes: payment.notes,
    madeBy: names.get(payment.secretId) ?? null,
    email: payment.consumerDetails?.email || null,
    paymentUrl: addresses.paymentUrl,
    shortUrl: addresses.shortUrl,
    qrCodeUrl: addresses.qrCodeUrl,
  };
};

export const listPaymentLinks = async (
  tools: LinkTools,
  tenant: Tenant,
  query: QueryOf<typeof operationListPaymentLinks>,
): Promise<ReplyOf<typeof operationListPaymentLinks>> => {
  const { database } = tools;
  const { status = null, storeId = null, from = '1900-01-01', to = '2999-12-31' } = query;
  const search = query.search?.trim() || null;
  const filter = {
    ...{ ...tenant, status, storeId, fromDay: from, toDay: to, search },
    searchPence: penceFromPounds(search ?? '')?.toString() ?? null,
  };
  const max = limits.totalsReadMax;
  const [rows, added] = await Promise.all([
    database.tenant(tenant.merchantId, listLinks[query.orderBy ?? 'NEWEST'], {
      ...filter,
      ...newestFirst(query),
    }),
    query.totals ? database.tenant(tenant.merchantId, addLinks, { ...filter, max }) : null,
  ]);
  const { payments, nextBefore } = await loadMade(tools, tenant, rows, query.limit);
  const makers = payments.map(({ secretId }) => secretId);
  const names = await findNames(tools, makers);
  return {
    ...{ data: payments.map((payment) => linkOf(tools, payment, names)), nextBefore },
    ...(added && { totals: totalsOf(added, max) }),
  };
};

const linkOf = (
  { publicUrl }: LinkTools,
  payment: Payment,
  names: ReadonlyMap<string, string>,
) => ({
  paymentRequestId: payment.paymentRequestId,
  orderId: payment.orderId,
  status: topStatus(payment),
  amount: poundsNumber(payment.amountPence),
  paidAmount: poundsNumber(addPence(...payment.attempts.filter(isPaid).map(totalPence))),
  notes: payment.notes,
  storeName: shownStoreName(payment.store.locationName, payment.merchant.name),
  shortUrl: paymentAddresses(publicUrl, payment.paymentRequestId, null).shortUrl,
  madeBy: names.get(payment.secretId) ?? null,
  createdAt: payment.createdAt.toISOString(),
  expiresAt: payment.expiresBusinessAt.toISOString(),
});

type Body = BodyOf<typeof operationMailPaymentLink>;
type Reply = ReplyOf<typeof operationMailPaymentLink>;

export type MailLinkTools = Uses<'database' | 'secrets' | 'config'> & {
  readonly publicUrl: string;
};

/** Queues the mail with its Idempotency-Key in one statement; the worker sends it (LINK-2). */
export const mailPaymentLink = (
  tools: MailLinkTools,
  caller: Caller,
  paymentRequestId: string,
  body: Body,
  key: IdempotencyKey | null,
): Promise<Reply | Replay> =>
  replayIfRefused(tools, caller.tenant, 'mailPaymentLink', key, () =>
    queue(tools, caller, paymentRequestId, body, key),
  );

const queue = async (
  tools: MailLinkTools,
  { tenant }: Caller,
  paymentRequestId: string,
  body: Body,
  key: IdempotencyKey | null,
): Promise<Reply> => {
  const email = body.email.trim();
  if (!isEmailAddress(email))
    throw badField('email', 'email is not an address', 'Write an e-mail address.');
  if (tenant.environment === 'PRODUCTION' && tools.config.smtpUrl === null)
    throw new Failure(failures.notEnabled, {
      message: 'This installation has no mail server: send the link yourself.',
    });
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  if (payment.merchant.isSuspended) throw merchantSuspended();
  if (payment.status !== 'OPEN' || payment.kind !== 'CHECKOUT') throw tooLate();
  const reply = { mailedTo: email, isCaught: tools.config.smtpUrl === null };
  const mail = mailOf(tools, payment, body.note?.trim() ?? '');
  const queued = await queuePaymentLinkMail(tools, payment, email, mail, { key, reply });
  if (queued.kind === 'QUEUED') return reply;
  if (queued.kind === 'TOO_LATE') throw tooLate();
  throw queued.kind === 'LINK_FULL' ? mailedBefore() : dayIsFull(queued.retryAfterSeconds);
};

const mailOf = ({ publicUrl }: MailLinkTools, payment: Payment, note: string) => {
  const { merchant, tenant, orderId, expiresBusinessAt, notes } = payment;
  return renderLinkMail({
    merchantName: merchant.name,
    isSandbox: tenant.environment === 'SANDBOX',
    amount: poundsText(requestedPence(payment)),
    orderId,
    notes,
    note,
    address: paymentAddresses(publicUrl, payment.paymentRequestId, null).paymentUrl,
    expiresAt: expiresBusinessAt.toISOString(),
    support: merchant.support,
  });
};

const tooLate = (): Failure =>
  new Failure(failures.invalidState, { message: 'It can no longer be paid.' });

/** No wait helps, so it is no 429. */
const mailedBefore = (): Failure =>
  new Failure(failures.invalidState, {
    message: `This link was mailed ${limits.linkMailsPerPayment} times already. Send it another way.`,
  });

const dayIsFull = (retryAfterSeconds: number): Failure =>
  new Failure(failures.rateLimited, {
    message: `This business has mailed ${limits.linkMailsPerDay} links today. Send it another way.`,
    retryAfterSeconds,
  });
