import type Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { ChargeState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';

export type FoundCharge =
  | { readonly kind: 'FOUND'; readonly intent: Stripe.PaymentIntent }
  /** Every payment of this customer since then was looked at. */
  | { readonly kind: 'ABSENT' }
  | Unknown;

const pageSize = 100;
const pagesMax = 10;
// Our clock and the processor's may disagree by this much.
const clocksDifferMs = 3_600_000;

/**
 * Finds a charge by our attempt id. A list and not the search, which lags behind: a charge missing
 * in the list was not created.
 */
export const findCharge = async (account: Account, state: ChargeState): Promise<FoundCharge> => {
  const since = Math.floor((state.preparedAt - clocksDifferMs) / 1000);
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await callProcessor(
      account,
      { operation: 'find charge', subject: state.attemptId },
      (stripe) =>
        stripe.paymentIntents.list({
          customer: state.customerId,
          created: { gte: since },
          limit: pageSize,
          expand: ['data.latest_charge'],
          ...(after && { starting_after: after }),
        }),
    );
    if (answer.kind === 'NOTHING') return unanswered(answer.why);
    if (answer.kind === 'REFUSED')
      return unknown(`The card processor does not list the payments (${answer.code}).`);
    const { data, has_more: hasMore } = answer.value;
    const intent = data.find(({ metadata }) => metadata?.attemptId === state.attemptId);
    if (intent) return { kind: 'FOUND', intent };
    const last = data.at(-1);
    if (!hasMore || !last || last.created < since) return { kind: 'ABSENT' };
    after = last.id;
  }
  return unknown('The customer has too many payments to find this one among them.');
};
