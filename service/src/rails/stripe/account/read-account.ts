import type { CardAccountOutcome } from '#rails/card-rail.ts';
import type { Account } from './account.ts';
import { callProcessor } from './call-processor.ts';
import { unanswered } from './unknown.ts';

export const readAccount = async (account: Account): Promise<CardAccountOutcome> => {
  const call = { operation: 'read account', subject: 'own' };
  const answer = await callProcessor(account, call, (stripe) => stripe.accounts.retrieveCurrent());
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'ANSWER') return { kind: 'ACCOUNT', accountKey: answer.value.id };
  return { kind: 'REFUSED', code: answer.code, description: notAccepted };
};

const notAccepted =
  'The card processor does not let this key read its own account: the key is wrong or too restricted.';
