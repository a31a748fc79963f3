import type { ConsentEnded, RateLimited, TokenEnded, Visitor } from '#rails/bank-data-rail.ts';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { unknown } from '../bank/classify-refusal.ts';
import { type JsonObject, objectAt } from '../messages/read-json.ts';
import type { AccountState } from './account-state.ts';
import { callAccounts } from './call-accounts.ts';
import { classifyAccountAnswer } from './classify-account-answer.ts';

export type SharedRead = {
  readonly operation: string;
  readonly path: string;
  readonly visitor: Visitor;
};

type NotRead = Refusal | ConsentEnded | RateLimited | TokenEnded | Unknown;

/** With the customer's token. `read` answers null for a body that lacks what the standard says. */
export const readShared = async <Value>(
  bank: Bank,
  state: AccountState,
  shared: SharedRead,
  read: (body: JsonObject) => Value | null,
): Promise<Value | NotRead> => {
  const { tokens } = state;
  if (!tokens) return unknown('This link has no tokens yet.');
  if (bank.tools.clock.now().getTime() >= tokens.accessEndsAt) return { kind: 'TOKEN_ENDED' };
  const { interactionId } = state;
  const call = { ...shared, method: 'GET' as const, interactionId };
  const answer = await callAccounts(bank, call, tokens.access);
  if (answer.kind === 'NOTHING' || answer.status !== 200)
    return classifyAccountAnswer(bank, state, answer);
  const body = objectAt(answer.body);
  const value = body && objectAt(body, 'Data') ? read(body) : null;
  return value ?? unknown('The answer of the bank is unreadable.');
};
