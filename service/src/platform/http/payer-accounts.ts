import { isPermitted } from '@florin/contract/dashboard/index.ts';
import type { Caller } from './route.ts';

/** Programs see account numbers of payers whole; of members those whose role says so (PEOPLE-5). */
export const seesPayerAccounts = ({ by }: Pick<Caller, 'by'>): boolean =>
  by.kind === 'secret' || isPermitted(by.role, 'payerAccounts.read');

/** Shows the last four digits of a number only. */
export const masked = (number: string | null | undefined): string | null =>
  number ? `****${number.slice(-4)}` : null;
