import type { StandardVersion } from './accounts/model.ts';

// How a bank shows accounts: what real banks do differently, one of each.
export type StatementTraits = {
  // The version its clients are registered for; it answers both.
  readonly version: StandardVersion;
  readonly pageSize: number;
  // The same on every day and in every run, with nothing that moves.
  readonly isStatic: boolean;
  readonly hasTransactionIds: boolean;
  // So many lines of a page are repeated on the next.
  readonly overlap: number;
  readonly links: 'plain' | 'doubled-slash' | 'other-host';
  readonly scheme: 'sort code' | 'IBAN';
  // Calls a day for each account without the customer; undefined: not counted.
  readonly unattendedCalls: number | undefined;
  readonly rotatesRefreshTokens: boolean;
  // Without a recent login, older lines need a new one.
  readonly daysWithoutLogin: number | undefined;
};

const usual: StatementTraits = {
  version: '4.0',
  pageSize: 100,
  isStatic: false,
  hasTransactionIds: true,
  overlap: 0,
  links: 'plain',
  scheme: 'sort code',
  unattendedCalls: undefined,
  rotatesRefreshTokens: false,
  daysWithoutLogin: undefined,
};

export const statementTraits = (difference: Partial<StatementTraits> = {}): StatementTraits => ({
  ...usual,
  ...difference,
});
