import type { Direction, Party } from '../model.ts';

export type EntryKind =
  | 'card'
  | 'cash'
  | 'directDebit'
  | 'received'
  | 'sent'
  | 'salary'
  | 'interest'
  | 'fee'
  | 'return';

export type Entry = {
  readonly id: string;
  readonly at: number;
  readonly direction: Direction;
  readonly kind: EntryKind;
  readonly amountPence: bigint;
  readonly information: string;
  readonly reference: string | undefined;
  readonly merchantName: string | undefined;
  readonly counterparty: Party | undefined;
};

export type HistoryEntry = Entry & {
  // Pending until then.
  readonly bookedAt: number;
};

export type StatementLine = Entry & {
  readonly isBooked: boolean;
  // After the line; a pending one has none.
  readonly balancePence: bigint | undefined;
};
