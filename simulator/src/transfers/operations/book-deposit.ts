import type { HubTools } from '../hub-tools.ts';
import type { Account, NamedAccount } from '../model.ts';
import { insertEntries } from '../store/entries.ts';

export type Deposit = {
  readonly account: Account;
  readonly from: NamedAccount;
  readonly amountPence: number;
  readonly reference: string;
  readonly endToEndId?: string;
  // The bank takes it from the account again.
  readonly isReversal?: boolean;
};

// A direct deposit: a client finds no transfer that it belongs to.
export const bookDeposit = async ({ pool, clock }: HubTools, deposit: Deposit): Promise<void> => {
  const { account, from, amountPence, reference, endToEndId, isReversal = false } = deposit;
  const now = clock.now();
  const entry = {
    ...{ account, reference, endToEndId, counterparty: from, reason: undefined },
    amountPence: BigInt(amountPence),
    direction: isReversal ? 'DBIT' : 'CRDT',
    kind: isReversal ? 'reversal' : 'deposit',
    showsId: true,
    afterMs: 0,
  } as const;
  await insertEntries(pool, [entry], { now, statedNow: now });
};
