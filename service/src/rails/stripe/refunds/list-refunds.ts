import type Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { Account } from '../account/account.ts';
import { type Call, callProcessor } from '../account/call-processor.ts';
import { unanswered, unknown } from '../account/unknown.ts';

const pageSize = 100;
const pagesMax = 10;
export const listedRefundsMax = pageSize * pagesMax;

export type ListedRefunds =
  /** The newest first; `isComplete`: the payment has no others. */
  | {
      readonly kind: 'LISTED';
      readonly refunds: readonly Stripe.Refund[];
      readonly isComplete: boolean;
    }
  | Unknown;

/** Page after page of a payment's refunds, to the end, to the one that is meant, or to the limit. */
export const listRefunds = async (
  account: Account,
  call: Call,
  paymentId: string,
  isMeant: (refund: Stripe.Refund) => boolean = () => false,
): Promise<ListedRefunds> => {
  const refunds: Stripe.Refund[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const after = refunds.at(-1)?.id;
    const answer = await callProcessor(account, call, (stripe) =>
      stripe.refunds.list({
        payment_intent: paymentId,
        limit: pageSize,
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    if (answer.kind === 'NOTHING') return unanswered(answer.why);
    if (answer.kind === 'REFUSED')
      return unknown(`The card processor does not list the refunds (${answer.code}).`);
    const { data, has_more: hasMore } = answer.value;
    refunds.push(...data);
    if (!hasMore || data.some(isMeant)) return { kind: 'LISTED', refunds, isComplete: !hasMore };
  }
  return { kind: 'LISTED', refunds, isComplete: false };
};
