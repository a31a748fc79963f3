import {
  type RefundReceipt,
  receiptFile,
  refundFile,
  renderReceiptMail,
  renderRefundMail,
} from '@florin/checkout';
import {
  type BodyOf,
  type CheckoutReceiptMail,
  type CheckoutView,
  failures,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { mailReceipt as described } from '@florin/contract/dashboard/index.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import {
  type Attempt,
  findOwnPayment,
  isPaid,
  type Payment,
  paymentAddresses,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { type Fields, pageIdOf, pagePath, text } from '../input/fields.ts';
import { localeOf, type PageTools, paymentPage, queryOf } from '../pages/payment-page.ts';
import { drawnLogo } from '../pages/pictures.ts';
import { sendNotice, sendPage } from '../pages/send-page.ts';
import { arriving } from '../views/checkout-view.ts';
import { drawReceiptFile } from './draw-receipt-file.ts';
import { isEmailAddress, queueReceipt, type ReceiptOf, recipientContext } from './queue-receipt.ts';
import { findReceiptedRefund, listReceipts } from './store.ts';

/** Newest first. A production address is shown by its first letter and its host only. */
export const listReceiptMails = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { limit }: { readonly limit: number },
) => {
  const rows = await database.tenant(tenant.merchantId, listReceipts, { ...tenant, limit });
  const shown = (address: string): string =>
    tenant.environment === 'SANDBOX' ? address : address.replace(/(?<=^.).*(?=@)/, '…');
  return rows.map((row) => ({
    paymentRequestId: row.payment_request_id,
    to:
      row.recipient_encrypted &&
      shown(secrets.decryptText(row.recipient_encrypted, recipientContext(row.attempt_id))),
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError: row.last_error,
  }));
};

const fileNameCharacters = 13;

/** Sends the receipt as a PDF, only to a browser whose page shows the receipt (PAGE-11). */
export const sendReceiptFile = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  const page = id && (await paymentPage(tools, id, { ...queryOf(request, id), stays: true }));
  const notFound = () => sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  if (!page || page.kind === 'NOTICE' || page.view.page !== 'RESULT') return notFound();
  const { view, payment } = page;
  const refundId = text((request.query as Fields).refund);
  const refund = refundId === '' ? null : await findRefund(tools, payment, refundId);
  const isOther = refund && refund.paymentIdempotencyId !== view.attempt.paymentIdempotencyId;
  if (isOther || (refundId !== '' && !refund)) return notFound();
  const sheet = refund ? refundFile(view, refund.receipt) : receiptFile(view);
  if (!sheet) return notFound();
  const at = refund?.receipt.refundedAt ?? view.paidAt ?? payment.now;
  const logo = await drawnLogo(tools, view.frame.avatarUrl);
  const file = await drawReceiptFile(sheet, new Date(at), logo);
  const [kind, of] = refund ? ['refund', refundId] : ['receipt', payment.paymentRequestId];
  const name = `${kind}-${of.slice(0, fileNameCharacters)}`;
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename="${name}.pdf"`)
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(file);
};

type FoundRefund = {
  readonly refundId: string;
  readonly paymentIdempotencyId: string;
  readonly receipt: RefundReceipt;
};

/** Null while no money goes back by it. */
const findRefund = async (
  { database }: Uses<'database'>,
  { tenant, paymentRequestId }: Payment,
  refundId: string,
): Promise<FoundRefund | null> => {
  if (!isUuid(refundId)) return null;
  const values = { ...tenant, paymentRequestId, refundId };
  const [row] = await database.tenant(tenant.merchantId, findReceiptedRefund, values);
  if (!row || !['PENDING', 'COMPLETED'].includes(row.status)) return null;
  return {
    refundId,
    paymentIdempotencyId: row.payment_idempotency_id,
    receipt: {
      amount: poundsText(pence(row.amount_pence)),
      refundedAt: row.refunded_at.toISOString(),
      isDone: row.status === 'COMPLETED',
    },
  };
};

type Result = Extract<CheckoutView, { page: 'RESULT' }>;
type State = CheckoutReceiptMail['state'];

/** A payer who has paid requests the receipt by mail. Errors are shown on the page itself. */
export const requestReceipt = async (
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const id = pageIdOf(fields);
  const paymentIdempotencyId = text(fields.payment) || null;
  const page =
    id &&
    (await paymentPage(tools, id, { ...queryOf(request, id), paymentIdempotencyId, stays: true }));
  if (!id || !page || page.kind === 'NOTICE')
    return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const { view, payment } = page;
  const back = (more: Readonly<Record<string, string>>) =>
    reply.redirect(pagePath(id, fields.locale, { ...more, stay: '1' }), 303);
  const isOurs = tools.formTokens.isMade(id, text(fields.formToken));
  const attempt = isOurs && mailedAttempt(view, payment, paymentIdempotencyId);
  if (!attempt || view.page !== 'RESULT') return back({});
  const email = text(fields.email).trim();
  if (!isEmailAddress(email)) return sendPage(reply, saying(view, 'WRONG_ADDRESS', email), 422);
  const mail = renderReceiptMail(view, addressesOf(tools, id));
  const queued = await queueReceipt(tools, payment, receiptOf(attempt), email, mail);
  if (queued === 'TOO_OFTEN') return sendPage(reply, saying(view, 'TOO_OFTEN', ''), 429);
  return back({
    payment: attempt.paymentIdempotencyId,
    receipt: queued === 'CAUGHT' ? 'caught' : 'asked',
  });
};

/** A member mails the same receipt that the payer may ask for, or that of a refund. */
export const mailReceipt = async (
  tools: PageTools,
  tenant: Tenant,
  paymentRequestId: string,
  { email: typed, paymentIdempotencyId, refundId }: BodyOf<typeof described>,
): Promise<ReplyOf<typeof described>> => {
  const email = typed.trim();
  if (!isEmailAddress(email))
    throw badField('email', 'is not an address', 'Write an e-mail address.');
  if (tenant.environment === 'PRODUCTION' && tools.config.smtpUrl === null)
    throw new Failure(failures.notEnabled, {
      message: 'This installation has no mail server: print the receipt and send it yourself.',
    });
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  const refund = refundId ? await findRefund(tools, payment, refundId) : null;
  if (refundId && !refund) throw noReceipt('A refund has a receipt once it is on its way.');
  const wanted = refund?.paymentIdempotencyId ?? paymentIdempotencyId ?? lastPaid(payment);
  const { view, attempt } = await receiptPage(tools, payment, wanted);
  const mail = refund
    ? renderRefundMail(view, refund.receipt, {
        publicUrl: tools.publicUrl,
        fileUrl: fileUrl(tools, payment, refund),
      })
    : renderReceiptMail(view, addressesOf(tools, payment.paymentRequestId));
  const of = refund ? ({ kind: 'REFUND', id: refund.refundId } as const) : receiptOf(attempt);
  const queued = await queueReceipt(tools, payment, of, email, mail);
  if (queued === 'TOO_OFTEN') throw mailedBefore();
  return { mailedTo: email, isCaught: queued === 'CAUGHT' || tools.config.smtpUrl === null };
};

const addressesOf = ({ publicUrl }: PageTools, paymentRequestId: string) => ({
  publicUrl,
  shortUrl: paymentAddresses(publicUrl, paymentRequestId, null).shortUrl,
});

const lastPaid = ({ attempts }: Payment): string | null =>
  attempts.findLast(isPaid)?.paymentIdempotencyId ?? null;

/** What the payer sees of the wanted payment. */
const receiptPage = async (
  tools: PageTools,
  payment: Payment,
  paymentIdempotencyId: string | null,
): Promise<{ readonly view: Result; readonly attempt: Attempt }> => {
  const query = { ...arriving, paymentIdempotencyId, stays: true };
  const page = await paymentPage(tools, payment.paymentRequestId, query);
  const view = page.kind === 'VIEW' ? page.view : null;
  const attempt = view && mailedAttempt(view, payment, paymentIdempotencyId);
  if (view?.page !== 'RESULT' || !attempt)
    throw noReceipt('Only what was paid on the page has a receipt.');
  return { view, attempt };
};

const receiptOf = ({ attemptId }: Attempt): ReceiptOf => ({ kind: 'RECEIPT', id: attemptId });

/** The address of the PDF. It contains the payment's id, which is all that is needed to open it. */
const fileUrl = (
  { publicUrl }: PageTools,
  { paymentRequestId }: Payment,
  { paymentIdempotencyId: payment, refundId: refund }: FoundRefund,
): string =>
  `${publicUrl}/pay/receipt.pdf?${new URLSearchParams({ paymentRequestId, payment, refund })}`;

const noReceipt = (message: string): Failure => new Failure(failures.invalidState, { message });

/** No wait helps, so it is no 429. */
const mailedBefore = (): Failure =>
  new Failure(failures.invalidState, {
    message: `This receipt was mailed ${limits.receiptMailsPerPayment} times already.`,
  });

/** The requested payment, if its page shows it as paid and offers a receipt. */
const mailedAttempt = (view: CheckoutView, payment: Payment, wanted: string | null) =>
  view.page === 'RESULT' && view.receiptMail && view.attempt.paymentIdempotencyId === wanted
    ? payment.attempts.find(({ paymentIdempotencyId }) => paymentIdempotencyId === wanted)
    : undefined;

const saying = (view: Result, state: State, email: string): Result =>
  view.receiptMail ? { ...view, receiptMail: { ...view.receiptMail, state, email } } : view;
