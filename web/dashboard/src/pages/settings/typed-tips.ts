import type { BodyOf } from '@florin/contract';
import type { changeTips } from '@florin/contract/dashboard/index.ts';
import { parsePounds } from '../../parts/numbers.ts';

type Tips = BodyOf<typeof changeTips>;

/** As it is typed. */
export type TypedTips = Omit<Tips, 'options'> & { readonly options: readonly string[] };

/** What is set; where nothing is, what many begin with. */
export const typedTips = (tips: Tips | null): TypedTips =>
  tips
    ? { ...tips, options: tips.options.map(String) }
    : { enabled: false, tipType: 'PERCENTAGE', options: ['5', '10', '15'], allowCustom: true };

/** Null while they cannot be saved. */
export const tipsOf = (typed: TypedTips): Tips | null => {
  const options = typed.options.map((text) => optionOf(typed.tipType, text));
  const isRight = options.every((option) => option !== null && option > 0 && option <= 1000);
  if (!isRight || new Set(options).size !== options.length) return null;
  return { ...typed, options: options as number[] };
};

const optionOf = (type: Tips['tipType'], text: string): number | null => {
  if (type === 'FIXED') {
    const pence = parsePounds(text);
    return pence === null ? null : pence / 100;
  }
  return /^\d{1,3}$/.test(text.trim()) && Number(text) <= 100 ? Number(text) : null;
};
