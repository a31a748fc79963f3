/** Money is pence in a bigint from the edge in to the edge out; these are the only conversions. */
export type Pence = bigint & { readonly pence: unique symbol };

const poundsPattern = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

export const pence = (amount: bigint | number): Pence => BigInt(amount) as Pence;

export const noPence = pence(0);

/** Null unless the text is a plain decimal with at most two digits after the point. */
export const penceFromPounds = (pounds: number | string): Pence | null => {
  const match = poundsPattern.exec(String(pounds));
  if (!match) return null;
  return pence(BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')));
};

/** What to say of pounds that are none: a comma is the commonest reason. */
export const pointAdvice = (pounds: unknown): string =>
  typeof pounds === 'string' && /^\d{1,7},\d{1,2}$/.test(pounds.trim())
    ? '; use a point: 12.50, not 12,50'
    : '';

export const addPence = (...amounts: readonly Pence[]): Pence =>
  pence(amounts.reduce((sum, amount) => sum + amount, 0n));

export const subtractPence = (from: Pence, amount: Pence): Pence => pence(from - amount);

/** "10.05": the wire's two-decimal text. */
export const poundsText = (amount: Pence): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** 10.05: the wire's number. */
export const poundsNumber = (amount: Pence): number => Number(poundsText(amount));
