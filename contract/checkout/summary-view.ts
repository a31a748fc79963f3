import type { CheckoutSplit } from './amount-views.ts';

/** A payment as its page sums it up: amounts, payee, items and end. */
export type CheckoutSummary = {
  readonly amount: string;
  /** Part of `amount`; null or absent when there is none. */
  readonly taxAmount?: string | null;
  readonly serviceAmount?: string | null;
  readonly tipAmount: string | null;
  readonly totalAmount: string;
  readonly currency: 'GBP';
  readonly orderId: string;
  readonly notes: string | null;
  /** What is paid for; of a split bill the whole bill. Absent: the merchant named nothing. */
  readonly lineItems?: readonly CheckoutLineItem[] | null;
  /** The merchant's message to its payer, of more than one line at times. */
  readonly payerNote?: string | null;
  /** Name of the paid account, as the bank will show it. */
  readonly payeeName: string;
  /** What the payer's statement will show. */
  readonly reference: string;
  readonly expiresAt: string;
  /** The server's idea of now, so that a wrong clock at the payer's does not matter. */
  readonly now: string;
  readonly tipsEnabled: boolean;
  readonly splitsBill: boolean;
  /** For a split bill, `amount` is this payer's share. */
  readonly split?: CheckoutSplit | null;
  /** The amount step can be opened again: nothing is under way yet. */
  readonly canChangeAmount?: boolean;
  /**
   * The payer may request more time by `POST /pay/more-time` (paymentRequestId, formToken,
   * institutionId, locale). Null or absent: not offered.
   */
  readonly moreTime?: { readonly formToken: string } | null;
};

export type CheckoutLineItem = {
  readonly name: string;
  readonly quantity: number;
  /** Of the whole line; below zero for a discount. */
  readonly amount: string;
};
