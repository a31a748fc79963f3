import type { ReplyOf } from '@florin/contract';
import type { getTillTips } from '@florin/contract/dashboard/index.ts';
import { writePounds } from '../../parts/numbers.ts';

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

export type Tips = ReplyOf<typeof getTillTips>['tips'];

/** `payer`, `none`, `other`, or a quick choice of the settings by its number. */
export type TipChoice = string;

/** What the settings offer, as it is said. */
export const quickTips = (tips: Tips): readonly string[] =>
  tips?.enabled
    ? tips.options.map((option) => (tips.tipType === 'FIXED' ? writePounds(option) : `${option}%`))
    : [];

/** Pence of the tip; undefined: the payer chooses; null: what was typed is no amount. */
export const tipOf = (
  choice: TipChoice,
  amountPence: number,
  typedPence: number | null,
  tips: Tips,
): number | null | undefined => {
  if (choice === 'payer') return undefined;
  if (choice === 'none') return 0;
  if (choice === 'other') return typedPence;
  const option = tips?.options[Number(choice)];
  if (option === undefined) return null;
  const isFixed = tips?.tipType === 'FIXED';
  return Math.round(isFixed ? option * 100 : (amountPence * option) / 100);
};
