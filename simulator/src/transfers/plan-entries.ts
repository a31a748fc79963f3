import type { Behaviour } from './behaviours.ts';
import type { Entry, NamedAccount, OrderedTransfer, TransferStep } from './model.ts';

type Planned = Pick<Entry, 'direction' | 'kind' | 'reason' | 'afterMs'>;

// Both sides of a transfer: money that leaves the debtor's account reaches the creditor's, and
// returns when it is rejected late or returned.
export const planEntries = (
  debtor: NamedAccount,
  transfer: OrderedTransfer,
  behaviour: Pick<Behaviour, 'schedule' | 'returned' | 'showsEndToEndId' | 'lostPence'>,
  // Of who ordered it: the creditor's statement is on that clock.
  clockAheadMs: number,
): readonly Entry[] => {
  const { schedule, returned, showsEndToEndId: showsId } = behaviour;
  const debit = schedule.find(({ status }) => status === 'ACSP' || status === 'ACSC');
  if (!debit) return [];
  const creditedPence = transfer.amountPence - behaviour.lostPence(transfer.amountPence);
  const credit = creditedPence > 0n && schedule.find(({ status }) => status === 'ACSC');
  const rejection = schedule.find((step) => step.status === 'RJCT');
  const back = rejection
    ? reversal(rejection)
    : returned && { ...returned, kind: 'return' as const };
  const { creditor, amountPence, endToEndId, reference } = transfer;
  const common = { amountPence, endToEndId, reference, showsId };
  const atDebtor = { ...common, account: debtor, counterparty: creditor };
  const atCreditor = {
    ...common,
    account: creditor,
    counterparty: debtor,
    amountPence: creditedPence,
    statedAheadMs: clockAheadMs,
  };
  return [
    { ...atDebtor, ...plain('DBIT', debit.afterMs) },
    ...(credit ? [{ ...atCreditor, ...plain('CRDT', credit.afterMs) }] : []),
    ...(back ? [{ ...atDebtor, ...back, direction: 'CRDT' as const }] : []),
    ...(back && credit ? [{ ...atCreditor, ...back, direction: 'DBIT' as const }] : []),
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
