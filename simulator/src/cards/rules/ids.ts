// Charges, refunds and disputes are stored in their intent; their ids contain the stem of its id.
const stemLength = 24;

export const intentId = (random: { text(length: number): string }): string =>
  `pi_3${random.text(stemLength - 1)}`;

export const attemptId = (intent: { readonly id: string }, index: number): string =>
  `ch_${stemOf(intent.id)}${counted(index)}`;

export const refundId = (intent: { readonly id: string }, index: number): string =>
  `re_${stemOf(intent.id)}${counted(index)}`;

export const intentIdOfPart = (id: string): string => `pi_${stemOf(id)}`;

const stemOf = (id: string): string => id.slice(3, 3 + stemLength);

const counted = (index: number): string => String(index).padStart(3, '0');
