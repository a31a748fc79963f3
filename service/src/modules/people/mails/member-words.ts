import type { NotificationKind } from '@florin/contract/dashboard/index.ts';
import { type Pence, poundsText } from '#kernel/pence.ts';
import { plainName } from './plain-name.ts';

export type Detail = Readonly<Record<string, string | null>>;

export type Words = { readonly subject: string; readonly lines: readonly string[] };

type Facts = { readonly detail: Detail; readonly dashboardUrl: string };

/** The words of a mail about a business, which a member chose to get. */
export const memberWords = (kind: NotificationKind, facts: Facts): Words => {
  const { detail, dashboardUrl } = facts;
  const page = `${dashboardUrl}/${detail.merchantId}/${detail.environment}`;
  const { subject, lines } = words[kind](detail, page);
  const business = plainName(detail.businessName);
  const isSandbox = detail.environment === 'sandbox';
  return {
    subject: `${isSandbox ? 'Sandbox: ' : ''}${business}: ${subject}`,
    lines: [
      ...lines,
      `${isSandbox ? 'This is the sandbox: no real money moves. ' : ''}Choose your mails:`,
      `${page}/settings/notifications`,
    ],
  };
};

const amountOf = ({ amountPence }: Detail): string =>
  amountPence
    ? pounds.format(poundsText(BigInt(amountPence) as Pence) as `${number}`)
    : 'an amount';

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

const words: Readonly<Record<NotificationKind, (detail: Detail, page: string) => Words>> = {
  ENDPOINT_FAILING: ({ url, since, lastError, endpointId }, page) => ({
    subject: 'a webhook endpoint fails',
    lines: [
      `Deliveries to this endpoint have failed since ${since} UTC:`,
      url ?? '',
      `Last error: ${lastError ?? 'unknown'}. While it fails you get this once a day.`,
      `${page}/developers/webhooks/${endpointId}`,
    ],
  }),
  PAYOUT_PAID: (detail, page) => ({
    subject: `${amountOf(detail)} was paid out`,
    lines: [
      `The bank has sent ${amountOf(detail)} with the reference ${detail.reference}.`,
      `${page}/payouts/${detail.payoutId}`,
    ],
  }),
  PAYOUT_FAILED: (detail, page) => ({
    subject: `a payout of ${amountOf(detail)} failed`,
    lines: [
      `The bank refused or returned the payout ${detail.reference} of ${amountOf(detail)}.`,
      'The money is yours and goes into the next one: check the account that it goes to.',
      `${page}/payouts/${detail.payoutId}`,
    ],
  }),
  REFUND_WAITS: ({ paymentRequestId }, page) => ({
    subject: 'a refund waits for an account',
    lines: [
      'The bank did not say which account paid. Ask the customer for theirs; the operator enters it.',
      `${page}/payments/${paymentRequestId}`,
    ],
  }),
  REFUND_PROPOSED: (detail, page) => ({
    subject: `a refund of ${amountOf(detail)} waits for approval`,
    lines: [
      `${plainName(detail.by)} proposed it. Another person approves or declines it here:`,
      `${page}/payments/${detail.paymentRequestId}`,
    ],
  }),
  DISPUTE: (detail, page) => ({
    subject:
      detail.case === 'DISPUTE_LOST'
        ? `a dispute about ${amountOf(detail)} was lost`
        : `a card payment of ${amountOf(detail)} is disputed`,
    lines: [
      detail.case === 'DISPUTE_LOST'
        ? `The card holder gets ${amountOf(detail)} back.`
        : `A card holder disputes ${amountOf(detail)}. Have proof of the order ready for the operator.`,
      `${page}/payments`,
    ],
  }),
  SUSPENSION: ({ reason }, page) => ({
    subject: reason === null ? 'the business is resumed' : 'the business is suspended',
    lines:
      reason === null
        ? ['Payments can be taken again, and payouts that were held go out.', `${page}/home`]
        : [
            `The operator gave this reason: ${reason?.replace(/[\p{C}\p{Z}]+/gu, ' ')}`,
            'Nothing new starts: no payment requests, no payments on links, no card charges.',
            'Payouts are held. What is under way is finished, and you can still refund payers.',
            `${page}/home`,
          ],
  }),
};
