import type { BalanceOutcome, Visitor } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal } from '../bank/classify-refusal.ts';
import { chooseBalance } from '../messages/choose-balance.ts';
import { entriesAt } from '../messages/read-json.ts';
import { accountLimits } from './account-limits.ts';
import { accountPath } from './account-path.ts';
import type { AccountState } from './account-state.ts';
import { readShared } from './read-shared.ts';

export const readBalance = async (
  bank: Bank,
  state: AccountState,
  accountId: string,
  visitor: Visitor,
): Promise<BalanceOutcome> => {
  const path = accountPath(accountId, 'balances');
  if (!path) return refusal('U011');
  return readShared<BalanceOutcome>(
    bank,
    state,
    { operation: 'read balance', path, visitor },
    (body) => {
      const entries = entriesAt(body, 'Balance', accountLimits.balances);
      if (!entries) return null;
      const balance = chooseBalance(accountId, entries);
      if (!balance && entries.length > 0) return null;
      return { kind: 'OK', balance };
    },
  );
};
