import { renderLinkMail } from '@florin/checkout';
import { type BodyOf, failures, limits, type ReplyOf } from '@florin/contract';
import type { mailPaymentLink as operation } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsText } from '#kernel/pence.ts';
import { isEmailAddress, queueLinkMail } from '#modules/checkout/index.ts';
import { merchantSuspended } from '#modules/merchants/index.ts';
import {
  findOwnPayment,
  type Payment,
  paymentAddresses,
  requestedPence,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';
import { replayIfRefused } from '#platform/idempotency/replay-if-refused.ts';
import type { Uses } from '#platform/tools.ts';

type Body = BodyOf<typeof operation>;
type Reply = ReplyOf<typeof operation>;

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
  const reply = { mailedTo: email };
  const mail = mailOf(tools, payment, body.note?.trim() ?? '');
  const queued = await queueLinkMail(tools, payment, email, mail, { key, reply });
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
