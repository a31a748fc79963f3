const maxPence = 9_999_999;

/** As on a cash register: digits come in at the pence. What would be too much changes nothing. */
export const enterAmount = (pence: number, key: Key): number => {
  if (key === 'clear') return 0;
  if (key === 'back') return Math.floor(pence / 10);
  const next = key === '00' ? pence * 100 : pence * 10 + Number(key);
  return next > maxPence ? pence : next;
};

export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const;

export type Key = (typeof keys)[number] | 'clear';

/** The key of a keyboard, or null. */
export const keyOf = (name: string): Key | null => {
  if (/^\d$/.test(name)) return name as Key;
  if (name === 'Backspace') return 'back';
  return name === 'Delete' ? 'clear' : null;
};

export type TipChoice = 'payer' | 'none' | '10' | '15' | 'other';

/** Pence of the tip; undefined: the payer chooses; null: what was typed is no amount. */
export const tipOf = (
  choice: TipChoice,
  amountPence: number,
  typedPence: number | null,
): number | null | undefined => {
  if (choice === 'payer') return undefined;
  if (choice === 'none') return 0;
  if (choice === 'other') return typedPence;
  return Math.round((amountPence * Number(choice)) / 100);
};
