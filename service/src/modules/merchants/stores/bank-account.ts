import { failures } from '@florin/contract';
import { validateAccountDetails } from 'uk-modulus-check';
import { Failure } from '#kernel/failure.ts';
import type { BankAccount } from '#rails/bank-rail.ts';

const accountNameLengthMax = 40;

/** A mistyped account is refused before money is sent to it: the banks' own modulus check. */
export const requireBankAccount = (account: BankAccount): void => {
  const refuse = (field: string, message: string) => {
    const errors = [{ field, message: `${field} ${message}` }];
    throw new Failure(failures.badRequest, { message: `${field} ${message}.`, errors });
  };
  const { sortCode, accountNumber, name } = account;
  if (!/^[0-9]{6}$/.test(sortCode)) refuse('sortCode', 'must have 6 digits');
  if (!/^[0-9]{8}$/.test(accountNumber)) refuse('accountNumber', 'must have 8 digits');
  if (name.trim() === '' || name.length > accountNameLengthMax)
    refuse('accountName', `must have 1 to ${accountNameLengthMax} characters`);
  if (!validateAccountDetails(sortCode, accountNumber))
    refuse('accountNumber', 'does not belong to this sort code');
};
