import { createHmac } from 'node:crypto';
import { cardTable } from './card-table.ts';

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'jcb' | 'diners';
export type Funding = 'credit' | 'debit' | 'prepaid';

// How an authentication ends: by a challenge, or at once with this answer of the issuer.
export type AuthenticationEnd =
  | 'challenge'
  | 'challenge-fails'
  | 'Y'
  | 'A'
  | 'N'
  | 'U'
  | 'R'
  | 'I'
  | 'timeout'
  | 'error'
  | 'not-enrolled'
  | 'not-supported';

export interface CardRow {
  readonly key: string;
  readonly number: string;
  readonly brand: Brand;
  readonly funding: Funding;
  readonly category: 'consumer' | 'commercial';
  readonly country: string;
  readonly asksFor3ds: 'always' | 'if-requested';
  readonly authentication: AuthenticationEnd;
  // A decline code, or the word for a customer who walks away; null approves.
  readonly onSession: string | null;
  readonly offSession: string | null;
  readonly offSessionOnceSetUp?: null;
  readonly refund?: {
    readonly becomes: 'succeeded' | 'failed';
    readonly from: 'pending' | 'succeeded';
  };
  readonly dispute?: 'won' | 'lost';
  readonly does: string;
}

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

export function fingerprintOf(row: CardRow, secret: string): string {
  const digest = createHmac('sha256', secret).update(row.number).digest('base64');
  return digest.replace(/[+/=]/g, '').slice(0, 16);
}
