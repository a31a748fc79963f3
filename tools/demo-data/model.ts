export type Paid = { readonly paymentRequestId: string; readonly pence: number };

/** What an order brings: payments that can be refunded, and what is left for the next hours. */
export type Traded = {
  readonly paid?: Paid;
  readonly later?: () => Promise<unknown>;
};
