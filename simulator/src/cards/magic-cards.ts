import { createHmac } from 'node:crypto';
import type { CardRow } from './card-row.ts';
import { cardTable } from './card-table.ts';

export const walksAway = 'customer_walked_away';

const byKey = new Map(cardTable.map((row) => [row.key, row]));
const byNumber = new Map(cardTable.map((row) => [row.number, row]));
const tokenPrefix = 'pm_card_';

// Whatever is not in the table is not looked at any further.
export function cardOfNumber(typed: string): CardRow | undefined {
  return typed.length > 40 ? undefined : byNumber.get(typed.replace(/[\s-]/g, ''));
}

export function cardOfKey(key: string): CardRow {
  const row = byKey.get(key);
  if (!row) throw new Error(`no card ${key} in the table`);
  return row;
}

// pm_card_visa and its like stand for a card where a test has no page to type a number into.
export function cardOfToken(token: string): CardRow | undefined {
  return token.startsWith(tokenPrefix) ? byKey.get(token.slice(tokenPrefix.length)) : undefined;
}

export function tokenOf(row: CardRow): string {
  return `${tokenPrefix}${row.key}`;
}

export function lastFourOf(row: CardRow): string {
  return row.number.slice(-4);
}

/** As a scheme calls what the issuer sells: company cards are told apart by this word alone. */
export function productOf({ brand, category, funding }: CardRow): string {
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `${name} ${category === 'commercial' ? 'Corporate' : 'Classic'} ${funding}`;
}

export function fingerprintOf(row: CardRow, secret: string): string {
  const digest = createHmac('sha256', secret).update(row.number).digest('base64');
  return digest.replace(/[+/=]/g, '').slice(0, 16);
}
