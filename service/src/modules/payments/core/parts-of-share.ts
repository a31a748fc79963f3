import { type Pence, pence } from '#kernel/pence.ts';
import { isLive, isPaid } from './attempt-lifecycle.ts';
import { type AmountParts, type Attempt, completedPence, type Payment } from './payment.ts';

/** An existing payment, or an amount that may be paid next. */
type Share = Pick<Attempt, 'amountPence'> & Partial<Pick<Attempt, 'status' | 'parts'>>;
type Bill = Pick<Payment, 'amountPence' | 'parts' | 'attempts'>;
type Part = keyof AmountParts;

/**
 * The tax and service charge of a share; a tip has neither. A paid share gets what all paid shares
 * have together less what the others show, so that a paid bill sums exactly.
 */
export const partsOfShare = (bill: Bill, share: Share): AmountParts => {
  if (share.parts) return share.parts;
  if (share.amountPence === bill.amountPence) return bill.parts;
  const find = share.status === undefined || isLive(share.status) ? nextPart : proportionOf;
  return {
    taxPence: find(bill, 'taxPence', share.amountPence),
    servicePence: find(bill, 'servicePence', share.amountPence),
  };
};

const nextPart = (bill: Bill, part: Part, amountPence: Pence): Pence => {
  const together = proportionOf(bill, part, completedPence(bill) + amountPence);
  const shown = bill.attempts
    .filter(isPaid)
    .reduce((sum, { parts }) => sum + (parts?.[part] ?? 0n), 0n);
  return pence(together > shown ? together - shown : 0n);
};

/** Rounded half up. */
const proportionOf = (bill: Bill, part: Part, amountPence: bigint): Pence =>
  pence((2n * bill.parts[part] * amountPence + bill.amountPence) / (2n * bill.amountPence));
