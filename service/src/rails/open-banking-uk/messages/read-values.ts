import {
  maskCardNumbers,
  type OutsideText,
  outsideText,
} from '#platform/card-numbers/mask-card-numbers.ts';
import type { SignedAmount } from '#rails/bank-data-rail.ts';

type Signed = SignedAmount & { readonly isDebit: boolean };

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

/** Nothing owed is written without a sign. */
export const withSign = ({ amount, currency, isDebit }: Signed): SignedAmount => ({
  amount: isDebit && /[1-9]/.test(amount) ? `-${amount}` : amount,
  currency,
});

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

/** Careful reading of a bank's answer: anything missing or of another type is undefined. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

export const objectAt = (value: unknown, ...path: readonly string[]): JsonObject | undefined => {
  let here: unknown = value;
  for (const name of path) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return isObject(here) ? here : undefined;
};

export const textOf = (
  object: JsonObject | undefined,
  name: string,
  maxLength = 512,
): string | undefined => {
  const value = object && Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength
    ? value
    : undefined;
};

export const listOf = (object: JsonObject | undefined, name: string): readonly unknown[] => {
  const value = object && Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value.slice(0, 50) : [];
};

/** A list of the answer's data: empty when it is absent, null when it is something else. */
export const entriesAt = (
  body: JsonObject,
  name: string,
  max: number,
): readonly unknown[] | null => {
  const value = objectAt(body, 'Data')?.[name];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, max) : null;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The standard's date and time; without a zone it is taken as UTC. Null: it is none. */
export const readTime = (text: string | undefined): Date | null => {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text ?? '',
    );
  if (!match) return null;
  const zone = (match[3] ?? 'Z').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const time = new Date(`${match[1]}T${match[2] ?? '00:00'}${zone}`);
  const year = time.getUTCFullYear();
  return year >= 1970 && year < 2200 ? time : null;
};
