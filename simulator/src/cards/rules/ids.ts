// Charges, refunds, disputes and what they move on the balance are of their intent; their ids contain the
// stem of its id.
const stemLength = 24;

export const intentId = (random: { text(length: number): string }): string =>
  `pi_3${random.text(stemLength - 1)}`;

export const attemptId = (intent: { readonly id: string }, index: number): string =>
  `ch_${stemOf(intent.id)}${counted(index)}`;

export const refundId = (intent: { readonly id: string }, index: number): string =>
  `re_${stemOf(intent.id)}${counted(index)}`;

// Of one charge, refund or dispute: what it moved first, or what came back later.
export const balanceEntryId = (partId: string, step: 'first' | 'back'): string =>
  `txn_${stemOf(partId)}${partId.slice(0, 1)}${step === 'first' ? 1 : 2}${partId.slice(-3)}`;

export const intentIdOfPart = (id: string): string => `pi_${stemOf(id)}`;

const stemOf = (id: string): string => {
  const start = id.indexOf('_') + 1;
  return id.slice(start, start + stemLength);
};

const counted = (index: number): string => String(index).padStart(3, '0');
