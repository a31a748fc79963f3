import {
  maskCardNumbers,
  type OutsideText,
  outsideText,
} from '#platform/card-numbers/mask-card-numbers.ts';
import type { DecimalText } from '#rails/bank-data-rail.ts';
import { type JsonObject, objectAt, textOf } from './read-json.ts';

export type Signed = {
  readonly amount: DecimalText;
  readonly currency: string;
  readonly isDebit: boolean;
};

/** An amount with its side, unsigned. Null: it is not to be understood, so it is not to be guessed. */
export const readSigned = (object: JsonObject | undefined): Signed | null => {
  const amount = objectAt(object, 'Amount');
  const currency = textOf(amount, 'Currency');
  const side = textOf(object, 'CreditDebitIndicator')?.toLowerCase();
  const decimal = decimalOf(amount?.Amount);
  if (!decimal || !currency || !isCurrency(currency)) return null;
  if (side !== 'credit' && side !== 'debit') return null;
  // Some banks repeat the side as a sign; the opposite sign has no meaning.
  if (decimal.isNegative && side === 'credit') return null;
  return { amount: decimal.text, currency, isDebit: side === 'debit' };
};

export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

const decimalOf = (value: unknown) => {
  // A number where the standard wants text is exact as far as it was written.
  const text = typeof value === 'number' ? String(value) : value;
  const match = typeof text === 'string' ? /^(-?)0*(\d{1,13})(?:\.(\d{1,5}))?$/.exec(text) : null;
  if (!match) return null;
  const fraction = (match[3] ?? '').replace(/0+$/, '').padEnd(2, '0');
  return { text: `${match[2]}.${fraction}`, isNegative: match[1] === '-' };
};

/** By shape: some banks name the wrong scheme. */
export const numbersOf = (account: JsonObject | undefined) => {
  const text = (textOf(account, 'Identification') ?? '').replace(/[\s-]/g, '').toUpperCase();
  const match = /^(\d{6})(\d{8})$/.exec(text) ?? /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/.exec(text);
  if (!match?.[1] || !match[2]) return null;
  return { sortCode: match[1], accountNumber: match[2] };
};

export const plainText = (object: JsonObject | undefined, name: string): OutsideText | null =>
  outsideText(textOf(object, name));

/** As fingerprints of stored transactions were made: with them it must not change. */
export const factText = (object: JsonObject | undefined, name: string): string | null => {
  const text = textOf(object, name)
    ?.replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return text ? maskCardNumbers(text) : null;
};
