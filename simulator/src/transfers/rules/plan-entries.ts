import type { Behaviour } from '../behaviours.ts';
import type { Entry, NamedAccount, OrderedTransfer, TransferStep } from '../model.ts';

type Planned = Pick<Entry, 'direction' | 'kind' | 'reason' | 'afterMs'>;

// Both sides of a transfer: what leaves the debtor's account reaches the creditor's, and comes back
// when it is rejected late or returned.
export const planEntries = (
  debtor: NamedAccount,
  transfer: OrderedTransfer,
  behaviour: Pick<Behaviour, 'schedule' | 'returned'>,
): readonly Entry[] => {
  const { schedule, returned } = behaviour;
  const debit = schedule.find(({ status }) => status === 'ACSP' || status === 'ACSC');
  if (!debit) return [];
  const credit = schedule.find(({ status }) => status === 'ACSC');
  const rejection = schedule.find((step) => step.status === 'RJCT');
  const back = rejection ? reversal(rejection) : returned && { ...returned, kind: 'return' as const };
  const { creditor } = transfer;
  return [
    entry(debtor, creditor, transfer, plain('DBIT', debit.afterMs)),
    ...(credit ? [entry(creditor, debtor, transfer, plain('CRDT', credit.afterMs))] : []),
    ...(back ? [entry(debtor, creditor, transfer, { ...back, direction: 'CRDT' })] : []),
    ...(back && credit ? [entry(creditor, debtor, transfer, { ...back, direction: 'DBIT' })] : []),
  ];
};

const plain = (direction: Entry['direction'], afterMs: number): Planned => ({
  ...{ direction, afterMs },
  kind: 'transfer',
  reason: undefined,
});

const reversal = ({ afterMs, reason }: TransferStep): Omit<Planned, 'direction'> => ({
  ...{ afterMs, reason },
  kind: 'reversal',
});

const entry = (
  account: NamedAccount,
  counterparty: NamedAccount,
  { amountPence, endToEndId, reference }: OrderedTransfer,
  planned: Planned,
): Entry => ({ account, counterparty, amountPence, endToEndId, reference, ...planned });
