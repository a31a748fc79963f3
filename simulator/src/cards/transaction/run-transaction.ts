import type { CardTools, Outcome } from '../ports.ts';
import { commitChanges } from './commit-changes.ts';
import { openTransaction, type Transaction } from './open-transaction.ts';

const maxTries = 40;

// Decides and commits; when a record has changed in between, decides again on its new state.
export const runTransaction = async <Result>(
  tools: CardTools,
  decide: (transaction: Transaction) => Promise<Outcome<Result>>,
): Promise<Result> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const transaction = openTransaction(tools);
    const { saved, eventDrafts, result } = await decide(transaction);
    if (saved.length === 0) return result;
    transaction.put(saved);
    if ((await commitChanges(tools, transaction.render, { saved, eventDrafts })) === 'done')
      return result;
  }
  throw new Error('too many concurrent changes of one payment');
};
