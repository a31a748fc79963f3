import type { savedCardReply } from '@florin/contract';
import type { Static } from 'typebox';
import type { CardFacts } from '#rails/card-rail.ts';
import type { CardRow } from './store/list-card-rows.ts';

export type CardView = Static<typeof savedCardReply>;

export const cardView = (row: CardRow): CardView => ({
  id: row.card_id,
  name: row.cardholder_name,
  type: typeOf[row.funding],
  lastFourDigits: row.last_four,
  category: row.category,
  cardType: row.funding === 'UNKNOWN' ? null : row.funding,
  brand: row.brand === 'UNKNOWN' ? null : row.brand,
  country: row.country,
  recurrenceType: row.recurrence_type,
  expiryDate: row.expiry,
});

const typeOf = {
  CREDIT: 'credit',
  DEBIT: 'debit',
  PREPAID: 'prepaid',
  UNKNOWN: null,
} as const satisfies Record<CardFacts['funding'], string | null>;
