import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { noPence, type Pence, poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { merchantSuspended, payeeFor } from '#modules/merchants/index.ts';
import {
  type Attempt,
  type BankRails,
  type CannotStart,
  type ConsentAnswer,
  closeCardPages,
  newAttempt,
  type Payment,
  type ShareChoice,
  shareAmount,
  startAttempt,
  totalPence,
  whyNotBegin,
  whyNotWhileSuspended,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankPaymentOrder, ConsentOutcome } from '#rails/bank-rail.ts';

/** The parameters of a payer's start. */
export type StartOrder = {
  readonly institutionId: string;
  readonly tipPence?: Pence;
  /** For a split bill; the rest by default. */
  readonly share?: ShareChoice;
  /** The share that the payer agreed to: if the amount has changed, nothing starts. */
  readonly expectedPence?: Pence;
  readonly payerAddress?: string;
  readonly payerUserAgent?: string;
  readonly applicationUserId?: string | null;
  readonly paymentDevice?: object | null;
  readonly loginHint?: string;
};

const contextCode = 'EcommerceMerchantInitiatedPayment';
const referenceLength = 18;

/** The order to the payer's bank. */
const bankPaymentOrder = (
  payment: Payment,
  attempt: Attempt,
  order: StartOrder,
): BankPaymentOrder => ({
  institutionId: attempt.institutionId,
  endToEndId: attempt.paymentIdempotencyId,
  instructionId: attempt.attemptId.replaceAll('-', ''),
  amountPence: totalPence(attempt),
  creditor: attempt.creditor,
  reference: statementReference(payment.orderId),
  contextCode,
  merchantCategoryCode: payment.merchant.categoryCode,
  merchantCustomerReference: payment.merchantCustomerReference,
  oauthState: attempt.oauthState ?? '',
  ...(order.payerAddress ? { payerAddress: order.payerAddress } : {}),
  ...(order.payerUserAgent ? { payerUserAgent: order.payerUserAgent } : {}),
  ...(order.loginHint ? { loginHint: order.loginHint } : {}),
  ...(payment.requestId ? { requestId: payment.requestId } : {}),
});

/** Faster Payments carries 18 characters of a plain alphabet in a reference. */
export const statementReference = (orderId: string): string => {
  const plain = orderId
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ./&-]/g, '')
    .trim()
    .slice(0, referenceLength)
    .trim();
  return plain === '' ? 'PAYMENT' : plain;
};

/** This request does not leave banks out. */
export const offersBank = ({ paymentMethods }: Payment): boolean =>
  paymentMethods?.includes('PAY_BY_BANK') ?? true;

const requireBankOffered = (payment: Payment): void => {
  if (offersBank(payment)) return;
  const message = 'This payment request does not offer PAY_BY_BANK.';
  throw badField('institutionId', message);
};

/**
 * Closes the card page that this payer left open, before another method is offered (CARD-2). On a
 * split bill every payer closes their own. While it is open nothing else can be started.
 */
export const leaveCardPage = (
  tools: Parameters<typeof closeCardPages>[0],
  payment: Payment,
  payerId: string | null,
): Promise<Payment> =>
  closeCardPages(
    tools,
    payment,
    'superseded',
    ({ applicationUserId }) => !payment.splitsBill || applicationUserId === payerId,
  );

// Existing clients match on the first two texts.
const sentences = {
  PAID: 'This link is already paid',
  EXPIRED: 'Please reach out to the business for a new link and attempt to pay again',
  CANCELLED: 'The business cancelled this payment request.',
  UNDER_WAY: 'A payment of this request is under way at a bank. Wait for its outcome.',
  SUSPENDED:
    'This business takes no payments at the moment, and no money was taken. Contact the business.',
  MONEY_HELD:
    'A bank has stopped a payment of this request and may hold its money. ' +
    'Ask the business before paying again.',
  NO_RETRY: 'The business does not allow another try on this payment request.',
  TOO_MANY_ATTEMPTS: 'This payment request was tried too often. Ask the business for a new link.',
} as const satisfies Record<CannotStart, string>;

export const explainCannotStart = (why: CannotStart): Failure =>
  why === 'SUSPENDED'
    ? merchantSuspended(sentences[why])
    : new Failure(failures.invalidState, { message: sentences[why] });

export type CheckoutTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
  readonly cardRails: CardRails;
};

type BankStart =
  | {
      readonly kind: 'AT_BANK';
      readonly authorisationUrl: string;
      readonly attempt: Attempt;
      readonly payment: Payment;
    }
  | { readonly kind: 'BANK_FAILED'; readonly payment: Payment; readonly description: string }
  | { readonly kind: 'CANNOT_START'; readonly payment: Payment; readonly why: CannotStart };

/** Requests a consent from the bank, then commits the start with its answer. */
export const startBankPayment = async (
  tools: CheckoutTools,
  found: Payment,
  order: StartOrder,
): Promise<BankStart> => {
  const { tenant } = found;
  const rail = tools.bankRails.need(tenant.environment);
  const suspended = whyNotWhileSuspended(found);
  if (suspended) return { kind: 'CANNOT_START', payment: found, why: suspended };
  requireBankOffered(found);
  const payee = await payeeFor(tools, tenant, found.store.id);
  const applicationUserId = order.applicationUserId ?? null;
  const payment = await leaveCardPage(tools, found, applicationUserId);
  const why = whyNotBegin(payment);
  if (why) return { kind: 'CANNOT_START', payment, why };
  const attempt = newAttempt(tools.ids, payment, {
    institutionId: order.institutionId,
    amountPence: orderedPence(payment, order),
    tipPence: order.tipPence ?? noPence,
    creditor: payee.account,
    settlesTo: payee.settlesTo,
    applicationUserId,
    paymentDevice: order.paymentDevice ?? null,
  });
  const consent = await rail.createConsent(bankPaymentOrder(payment, attempt, order));
  return recordAnswer(tools, payment, attempt, consent);
};

const recordAnswer = async (
  tools: CheckoutTools,
  payment: Payment,
  drafted: Attempt,
  consent: ConsentOutcome,
): Promise<BankStart> => {
  if (consent.kind === 'UNKNOWN')
    tools.log.warn({ attemptId: drafted.attemptId, why: consent.description }, 'no consent');
  const answer: ConsentAnswer =
    consent.kind === 'UNKNOWN' ? { kind: 'REFUSED', ...bankUnreachable } : consent;
  const started = await startAttempt(tools, payment, drafted, answer);
  const { payment: after } = started;
  // Paid or cancelled during the call: its consent is never used.
  if (started.kind === 'NOT_STARTED')
    return { kind: 'CANNOT_START', payment: after, why: started.why };
  if (consent.kind === 'CREATED') {
    const { authorisationUrl } = consent;
    return { kind: 'AT_BANK', authorisationUrl, attempt: started.attempt, payment: after };
  }
  const { description } = consent.kind === 'UNKNOWN' ? bankUnreachable : consent;
  return { kind: 'BANK_FAILED', payment: after, description };
};

export const orderedPence = (
  payment: Payment,
  order: Pick<StartOrder, 'share' | 'expectedPence' | 'applicationUserId'>,
): Pence => {
  if (!payment.splitsBill) return payment.amountPence;
  const mine = withoutOwnShare(payment, order.applicationUserId ?? null);
  const amountPence = shareAmount(mine, order.share ?? { kind: 'REST' });
  if (order.expectedPence === undefined || order.expectedPence === amountPence) return amountPence;
  const message = `This share is now £${poundsText(amountPence)}.`;
  throw badField('amount', message);
};

/** For the payer; what exactly went wrong is for the operator's log. */
export const bankUnreachable = {
  code: 'BANK_UNREACHABLE',
  description: 'Your bank could not be reached. No money has moved; try again or use another bank.',
};
