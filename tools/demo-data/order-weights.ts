/** How often each kind is among a thousand orders. */
export const orderWeights = {
  BANK_PAID: 500,
  CARD_PAID: 170,
  CARD_AUTOMATIC: 60,
  CARD_CAPTURED: 30,
  CARD_CAPTURED_BEFORE_EXPIRY: 20,
  CARD_RELEASED: 10,
  SPLIT_PAID: 30,
  SPLIT_UNFINISHED: 8,
  BANK_REJECTED: 30,
  BANK_DECLINED_BY_PAYER: 35,
  BANK_PENDING: 2,
  CARD_DECLINED: 40,
  CARD_ABANDONED: 8,
  DISPUTE_LOST: 4,
  DISPUTE_WON: 4,
  CARD_REFUND_FAILS: 4,
  EXPIRED: 25,
  CANCELLED: 20,
} as const;

export type OrderKind = keyof typeof orderWeights;
