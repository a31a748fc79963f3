import type { BodyOf, requestPayment as described } from '@florin/contract';
import {
  addPence,
  noPence,
  type Pence,
  pence,
  penceFromPounds,
  poundsText,
} from '#kernel/pence.ts';
import type { StoredLineItem } from '../core/store/request-columns.ts';

export type Refuse = (field: string, message: string) => void;

type Body = BodyOf<typeof described>;

/** REQUEST-16. Lines that are not the amount would tell the payer two prices. */
export const checkLineItems = (
  lines: Body['lineItems'],
  amountPence: Pence,
  refuse: Refuse,
): readonly StoredLineItem[] | null => {
  if (!lines) return null;
  const amounts = lines.map(({ amount }) => signedPence(amount));
  amounts.forEach((each, at) => {
    if (each === null) refuse(`lineItems.${at}.amount`, 'must be pounds with at most two decimals');
  });
  const sum = amounts.reduce<Pence>((all, each) => addPence(all, each ?? noPence), noPence);
  if (!amounts.includes(null) && sum !== amountPence)
    refuse('lineItems', `add up to ${poundsText(sum)}, and amount is ${poundsText(amountPence)}`);
  return lines.map(({ name, quantity }, at) => ({
    name,
    quantity: quantity ?? 1,
    amountPence: Number(amounts[at] ?? noPence),
  }));
};

const signedPence = (pounds: number): Pence | null => {
  const size = penceFromPounds(Math.abs(pounds));
  return size !== null && pounds < 0 ? pence(-size) : size;
};

/** Lines end in one way, and no more than one of them is empty. */
export const tidyNote = (note: string | undefined): string | null => {
  const tidy = note
    ?.replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]*\n\s*\n\s*/g, '\n\n')
    .trim();
  return tidy ? tidy : null;
};
