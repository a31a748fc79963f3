import type { CardRow } from '../card-row.ts';
import { magicCardByNumber } from '../magic-card.ts';

export type TypedCard = {
  readonly row: CardRow;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string;
};

export type FieldName = 'number' | 'expiry' | 'cvc' | 'name';
export type Mistakes = Readonly<Partial<Record<FieldName, string>>>;

type Fields = Readonly<Record<string, unknown>>;

const maxNameLength = 100;

// The number and the code are looked at here and go no further than this function.
export const readCard = (
  fields: Fields,
  now: number,
): { readonly card: TypedCard } | { readonly mistakes: Mistakes } => {
  const row = magicCardByNumber(textOf(fields.number));
  const expiry = expiryOf(textOf(fields.expiry), now);
  const holderName = textOf(fields.name).trim();
  const mistakes = {
    ...(row ? {} : { number: 'Only the test card numbers of this simulation are taken.' }),
    ...(expiry ? {} : { expiry: 'Type a month and a year that has not passed, like 12/34.' }),
    ...(/^\d{3,4}$/.test(textOf(fields.cvc)) ? {} : { cvc: 'Type any three or four digits.' }),
    ...(isName(holderName) ? {} : { name: 'Type any name, without digits.' }),
  };
  return row && expiry && Object.keys(mistakes).length === 0
    ? { card: { row, ...expiry, holderName } }
    : { mistakes };
};

// A number typed into the wrong field must not be stored as a name.
const isName = (text: string): boolean =>
  text !== '' && text.length <= maxNameLength && !/\d{4}/.test(text.replace(/[\s-]/g, ''));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const expiryOf = (typed: string, now: number) => {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/-]\s*(\d{2}|\d{4})\s*$/.exec(typed) ?? [];
  const expiryMonth = Number(month);
  const expiryYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  if (expiryMonth < 1 || expiryMonth > 12) return undefined;
  const firstMomentAfter = Date.UTC(expiryYear, expiryMonth, 1);
  return firstMomentAfter > now ? { expiryMonth, expiryYear } : undefined;
};
