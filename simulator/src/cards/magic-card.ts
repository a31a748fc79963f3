import { createHmac } from 'node:crypto';
import type { CardRow } from './card-row.ts';
import { cardTable } from './card-table.ts';

const byKey = new Map(cardTable.map((row) => [row.key, row]));
const byNumber = new Map(cardTable.map((row) => [row.number, row]));
const tokenPrefix = 'pm_card_';

// A number outside the table is not examined any further.
export const magicCardByNumber = (typed: string): CardRow | undefined =>
  typed.length > 40 ? undefined : byNumber.get(typed.replace(/[\s-]/g, ''));

export const magicCardByKey = (key: string): CardRow => {
  const row = byKey.get(key);
  if (!row) throw new Error(`no card ${key} in the table`);
  return row;
};

// pm_card_visa and the like stand for a card when a test has no page to type a number into.
export const magicCardByToken = (token: string): CardRow | undefined =>
  token.startsWith(tokenPrefix) ? byKey.get(token.slice(tokenPrefix.length)) : undefined;

export const tokenOfMagicCard = (row: CardRow): string => `${tokenPrefix}${row.key}`;

export const lastFourOfMagicCard = (row: CardRow): string => row.number.slice(-4);

export const productOfMagicCard = ({ brand, category, funding }: CardRow): string => {
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `${name} ${category === 'commercial' ? 'Corporate' : 'Classic'} ${funding}`;
};

export const fingerprintOfMagicCard = (row: CardRow, secret: string): string => {
  const digest = createHmac('sha256', secret).update(row.number).digest('base64');
  return digest.replace(/[+/=]/g, '').slice(0, 16);
};
