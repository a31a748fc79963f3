import { badRequest, type Refusal } from '../refusal.ts';

const path = 'Data.Permissions';

// What these banks offer: the standard's other permissions are refused, as at most banks.
const offered: ReadonlySet<string> = new Set([
  'ReadAccountsBasic',
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadTransactionsBasic',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
  'ReadTransactionsDetail',
]);

export const checkPermissions = (permissions: readonly string[]): void => {
  const unknown = permissions.find((name) => !offered.has(name));
  if (unknown !== undefined) throw wrong(`This bank does not offer ${unknown}.`);
  const has = (...names: readonly string[]) => names.some((name) => permissions.includes(name));
  if (!has('ReadAccountsBasic', 'ReadAccountsDetail')) {
    throw wrong('ReadAccountsBasic or ReadAccountsDetail is required.');
  }
  const level = has('ReadTransactionsBasic', 'ReadTransactionsDetail');
  const side = has('ReadTransactionsCredits', 'ReadTransactionsDebits');
  if (level && !side) throw wrong('Transactions need credits, debits or both.');
  if (side && !level) throw wrong('Credits and debits need the basic or detailed transactions.');
};

const wrong = (message: string): Refusal => badRequest('U002', message, path);
