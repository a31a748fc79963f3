import type { DetachOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import { unanswered } from '../account/unknown.ts';

/** After any refusal the card itself shows whether it still belongs to a customer. */
export const detachCard = async (
  account: Account,
  cardReference: string,
): Promise<DetachOutcome> => {
  const call = { operation: 'detach card', subject: cardReference };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.paymentMethods.detach(cardReference),
  );
  if (answer.kind === 'ANSWER') return { kind: 'DETACHED' };
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const card = await callProcessor(account, { ...call, operation: 'read card' }, (stripe) =>
    stripe.paymentMethods.retrieve(cardReference),
  );
  if (card.kind === 'NOTHING') return unanswered(card.why);
  const isGone =
    card.kind === 'ANSWER' ? card.value.customer === null : card.code === 'resource_missing';
  if (isGone) return { kind: 'DETACHED' };
  return { kind: 'REFUSED', code: answer.code, description: stillAttached };
};

const stillAttached = 'The card processor did not detach the card.';
