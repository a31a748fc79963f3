import type { Tenant } from '#kernel/environment.ts';
import { noPence, type Pence, poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { payeeFor } from '#modules/merchants/index.ts';
import {
  type Attempt,
  type AttemptOrder,
  type BankRails,
  type CannotStart,
  endAttempt,
  loadPayment,
  type Payment,
  recordConsent,
  shareAmount,
  startAttempt,
  whyNotStart,
  whyNotWhileSuspended,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import type { ConsentOutcome } from '#rails/bank-rail.ts';
import { bankPaymentOrder, type StartOrder } from './bank-payment-order.ts';
import { leaveCardPage } from './leave-card-page.ts';
import { requireBankOffered } from './offers-bank.ts';

export type CheckoutTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
  readonly cardRails: CardRails;
};

export type BankStart =
  | {
      readonly kind: 'AT_BANK';
      readonly authorisationUrl: string;
      readonly attempt: Attempt;
      readonly payment: Payment;
    }
  | { readonly kind: 'BANK_FAILED'; readonly payment: Payment; readonly description: string }
  | { readonly kind: 'CANNOT_START'; readonly payment: Payment; readonly why: CannotStart };

/** Commits the intent, requests a consent from the bank, then records its answer. */
export const startBankPayment = async (
  tools: CheckoutTools,
  tenant: Tenant,
  paymentRequestId: string,
  order: StartOrder,
): Promise<BankStart> => {
  const rail = tools.bankRails.need(tenant.environment);
  const loaded = await loadPayment(tools.database, tenant, paymentRequestId);
  const why = loaded && whyNotWhileSuspended(loaded);
  if (loaded && why) return { kind: 'CANNOT_START', payment: loaded, why };
  if (loaded) requireBankOffered(loaded);
  const payee = await payeeFor(tools, tenant, loaded?.store.id ?? '');
  const applicationUserId = order.applicationUserId ?? null;
  if (loaded) await leaveCardPage(tools, loaded, applicationUserId);
  const orderOf = (payment: Payment): AttemptOrder => ({
    institutionId: order.institutionId,
    amountPence: orderedPence(payment, order),
    tipPence: order.tipPence ?? noPence,
    creditor: payee.account,
    settlesTo: payee.settlesTo,
    applicationUserId,
    paymentDevice: order.paymentDevice ?? null,
  });
  const started = await startAttempt(tools, tenant, paymentRequestId, orderOf);
  const { payment } = started;
  if (started.kind === 'NOT_STARTED') return { kind: 'CANNOT_START', payment, why: started.why };
  const consent = await rail.createConsent(bankPaymentOrder(payment, started.attempt, order));
  return recordAnswer(tools, payment, started.attempt, consent);
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

const recordAnswer = async (
  tools: CheckoutTools,
  payment: Payment,
  attempt: Attempt,
  consent: ConsentOutcome,
): Promise<BankStart> => {
  if (consent.kind !== 'CREATED') {
    const reason = consent.kind === 'REFUSED' ? consent : bankUnreachable;
    if (consent.kind === 'UNKNOWN')
      tools.log.warn({ attemptId: attempt.attemptId, why: consent.description }, 'no consent');
    const after = await endAttempt(tools, payment, attempt.attemptId, 'refusedByBank', reason);
    return { kind: 'BANK_FAILED', payment: after, description: reason.description };
  }
  const { authorisationUrl } = consent;
  if (await recordConsent(tools, payment, attempt.attemptId, consent))
    return { kind: 'AT_BANK', authorisationUrl, attempt, payment };
  // Superseded or cancelled during the call: its consent is never used.
  const { tenant, paymentRequestId } = payment;
  const after = (await loadPayment(tools.database, tenant, paymentRequestId)) ?? payment;
  return { kind: 'CANNOT_START', payment: after, why: whyNotStart(after) ?? 'UNDER_WAY' };
};

/** For the payer; what exactly went wrong is for the operator's log. */
export const bankUnreachable = {
  code: 'BANK_UNREACHABLE',
  description: 'Your bank could not be reached. No money has moved; try again or use another bank.',
};
