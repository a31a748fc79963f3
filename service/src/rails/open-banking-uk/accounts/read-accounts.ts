import type { AccountsOutcome, Visitor } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { readAccount } from '../messages/read-account.ts';
import { entriesAt } from '../messages/read-json.ts';
import { accountLimits } from './account-limits.ts';
import type { AccountState } from './account-state.ts';
import { readShared } from './read-shared.ts';

export const readAccounts = (
  bank: Bank,
  state: AccountState,
  visitor: Visitor,
): Promise<AccountsOutcome> =>
  readShared<AccountsOutcome>(
    bank,
    state,
    { operation: 'read accounts', path: '/accounts', visitor },
    (body) => {
      const entries = entriesAt(body, 'Account', accountLimits.accounts);
      if (!entries) return null;
      const accounts = entries.map(readAccount).filter((account) => account !== null);
      // A list without one readable account is no list.
      if (entries.length > 0 && accounts.length === 0) return null;
      return { kind: 'OK', accounts };
    },
  );
