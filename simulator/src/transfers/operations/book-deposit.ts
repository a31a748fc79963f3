import type { HubTools } from '../hub-tools.ts';
import type { Account, Entry, NamedAccount } from '../model.ts';
import { insertEntries } from '../store/entries.ts';

export type Deposit = {
  readonly account: Account;
  readonly from: NamedAccount;
  readonly amountPence: number;
  readonly reference: string;
  readonly endToEndId?: string;
  // The bank takes it from the account again.
  readonly isReversal?: boolean;
  // A debit or a return that the client did not order so: what a bank says need not be right.
  readonly isDebit?: boolean;
  readonly returnedWith?: string;
};

// A direct deposit: a client finds no transfer that it belongs to, unless it lies about one.
export const bookDeposit = async ({ pool, clock }: HubTools, deposit: Deposit): Promise<void> => {
  const { account, from, amountPence, reference, endToEndId, returnedWith } = deposit;
  const now = clock.now();
  const entry = {
    ...{ account, reference, endToEndId, counterparty: from, reason: returnedWith },
    ...kindOf(deposit),
    amountPence: BigInt(amountPence),
    showsId: true,
    afterMs: 0,
  } as const;
  await insertEntries(pool, [entry], { now, statedNow: now });
};

const kindOf = ({
  isReversal,
  isDebit,
  returnedWith,
}: Deposit): Pick<Entry, 'direction' | 'kind'> => {
  if (isReversal) return { direction: 'DBIT', kind: 'reversal' };
  if (isDebit) return { direction: 'DBIT', kind: 'transfer' };
  return { direction: 'CRDT', kind: returnedWith === undefined ? 'deposit' : 'return' };
};
