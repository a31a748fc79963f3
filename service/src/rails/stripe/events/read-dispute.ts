import { noPence, pence } from '#kernel/pence.ts';
import type { DisputeOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import { plainCode } from '../account/plain-code.ts';
import { unanswered, unknown } from '../account/unknown.ts';

export const readDispute = async (
  account: Account,
  disputeReference: string,
): Promise<DisputeOutcome> => {
  const call = { operation: 'read dispute', subject: disputeReference };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.disputes.retrieve(disputeReference, { expand: ['payment_intent'] }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the dispute (${answer.code}).`);
  const { status, amount, payment_intent: intent, reason } = answer.value;
  return {
    kind: 'DISPUTE',
    status: ends.get(status) ?? 'OPEN',
    amountPence: isInquiry(status) ? noPence : pence(amount),
    paymentReference: typeof intent === 'string' ? intent : (intent?.id ?? null),
    attemptId: typeof intent === 'string' ? null : (intent?.metadata.attemptId ?? null),
    reason: plainCode(reason),
  };
};

/** The bank asks before it disputes: it has taken no money, and may do so later under the same id. */
const isInquiry = (status: string): boolean => status.startsWith('warning_');

const ends = new Map<string, 'WON' | 'LOST'>([
  ['won', 'WON'],
  ['warning_closed', 'WON'],
  ['prevented', 'WON'],
  ['lost', 'LOST'],
]);
