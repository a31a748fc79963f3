import { limits } from '@florin/contract';
import { maskCardNumbers } from './mask-card-numbers.ts';

declare const cleaned: unique symbol;

/** Text of a bank, a processor or a payer there, fit to be stored, searched and shown. */
export type OutsideText = string & { readonly [cleaned]: true };

/**
 * The only maker of OutsideText: one line without control characters, halves of characters and card
 * numbers, of so many characters. What is left of it; null: nothing.
 */
export const outsideText = (
  text: string | null | undefined,
  maxCharacters: number = limits.bankTextLength,
): OutsideText | null => {
  const line = (text ?? '').slice(0, maxRead).replace(unfit, ' ').trim();
  const shown = [...maskCardNumbers(line)].slice(0, maxCharacters).join('').trim();
  return shown === '' ? null : (shown as OutsideText);
};

/** The name of a payer. */
export const outsideName = (text: string | null | undefined): OutsideText | null =>
  outsideText(text, limits.outsideNameLength);

/** More is never shown: a longer text is not worth reading. */
const maxRead = 20_000;

// PostgreSQL takes neither NUL nor a half; line breaks and what turns the direction of writing would
// change what stands around the text.
const unfit = /\s*[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]+\s*/gu;
