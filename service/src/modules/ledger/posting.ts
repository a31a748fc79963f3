import type { Pence } from '#kernel/pence.ts';

export const accounts = [
  /** Money that a bank announced and that has not arrived yet. */
  'DUE_FROM_BANK',
  /** The operator's account, which payouts and refunds leave from. */
  'COLLECTING_ACCOUNT',
  /** The merchant's own account: the money never passes through the operator. */
  'STORE_ACCOUNT',
  /** Authorised by a card, and neither captured nor released. */
  'HELD_AT_PROCESSOR',
  'MERCHANT_AUTHORISED',
  'SETTLED_BY_PROCESSOR',
  /** Came by card when nothing was to be paid any more: it goes back to the payer. */
  'LATE_MONEY',
  /** Owed to the merchant once the money has arrived. */
  'MERCHANT_UNSETTLED',
  'MERCHANT_PAYABLE',
  'MERCHANT_PAID_DIRECTLY',
  /** Handed to the bank for a customer, not yet seen leaving. */
  'REFUNDS_IN_TRANSIT',
  /** The bank could not credit it and returned it. */
  'RETURNS',
  'PAYOUTS_IN_TRANSIT',
  /** What the merchant has received on the accounts of its stores, and by payouts altogether. */
  'STORE_PAID_OUT',
  'MERCHANT_PAID_OUT',
  /** What the operator earns. */
  'FEES',
  /** Booked by the bank otherwise than ordered: it keeps the collecting account equal to the bank's. */
  'BANK_DIFFERENCES',
  /** Not payable until an operator has decided: it may have left already. */
  'HELD_FOR_CASES',
] as const;

/** One side of a transaction: positive is a debit, negative a credit. */
export type Posting = {
  readonly transactionId: string;
  readonly account: Account;
  readonly amountPence: bigint;
  readonly reason: string;
  readonly resourceId: string;
  readonly attemptId: string | null;
  /** The store, and the account the money came from or went to, if known. */
  readonly storeId?: string;
  /** Sort code and account number. */
  readonly creditorAccount?: string;
  readonly occurredAt: Date;
};

export type Account = (typeof accounts)[number];

export type Transfer = {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: Pence;
};

/** Each transfer debits one account and credits another, so a transaction always sums to nothing. */
export const post = (
  transaction: Omit<Posting, 'account' | 'amountPence'>,
  transfers: readonly Transfer[],
): readonly Posting[] =>
  transfers.flatMap(({ debit, credit, amount }) => [
    { ...transaction, account: debit, amountPence: amount },
    { ...transaction, account: credit, amountPence: -amount },
  ]);
