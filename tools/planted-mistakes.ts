type Edit = { readonly path: string; readonly from: string; readonly to: string };
export type Mistake = {
  readonly name: string;
  /** A test that finds it where the money model cannot. */
  readonly foundBy?: string;
  readonly edits: readonly Edit[];
};

/** Each is a mistake in the product that the money model has to find; A1 to A4 are faults as they were. */
export const mistakes: readonly Mistake[] = [
  {
    name: 'a refund is not counted against what was paid',
    edits: [
      {
        path: 'service/src/modules/refunds/requests/store/insert-refund.ts',
        from: 'a.refunded_pence + a.refund_reserved_pence + disputed_pence(a.disputes)',
        to: 'a.refunded_pence - a.refunded_pence',
      },
    ],
  },
  {
    name: 'the refund limit forgets disputes',
    edits: [
      {
        path: 'service/src/modules/refunds/requests/store/insert-refund.ts',
        from: 'a.refund_reserved_pence + disputed_pence(a.disputes)',
        to: 'a.refund_reserved_pence',
      },
    ],
  },
  {
    name: 'a payment that its bank reverses has no reversal entries',
    edits: [
      {
        path: 'service/src/modules/payments/core/completed-postings.ts',
        from: "'PAYMENT_REVERSED', booked.map(reversed)",
        to: "'PAYMENT_REVERSED', booked.slice(booked.length).map(reversed)",
      },
    ],
  },
  {
    name: 'a dispute that is won is not booked',
    edits: [
      {
        path: 'service/src/modules/payments/card/disputes.ts',
        from: 'if (moved < 0n)',
        to: 'if (moved < -(10n ** 18n))',
      },
    ],
  },
  {
    name: 'A1: a payout is closed while a refund that was handed over is no line of it yet',
    edits: [
      {
        path: 'service/src/modules/payouts/fill-and-close.ts',
        from: '  await fillPayouts(tools, tenant);\n',
        to: '',
      },
      {
        path: 'service/src/modules/payouts/store/commit-payout.ts',
        from: 'and not exists (select from loose where loose.account = p.sort_code || p.account_number)',
        to: '',
      },
    ],
  },
  {
    name: "A2: a refund takes another account's money",
    edits: [
      {
        path: 'service/src/modules/refunds/outgoing/store.ts',
        from: 'as settlement_account,',
        to: "as own_account, 'all'::text as settlement_account,",
      },
      {
        path: 'service/src/modules/refunds/outgoing/hand-over.ts',
        from: 'new Map(payable.map(({ account, pence: left }) => [account, left]))',
        to: "new Map([['all', payable.reduce((sum, { pence: left }) => sum + left, 0n)]])",
      },
      {
        path: 'service/src/modules/refunds/core/store/commit-refunds.ts',
        from: '(select p.pence from payable p\n       where p.account = h.account)',
        to: '(select sum(p.pence) from payable p)',
      },
    ],
  },
  {
    name: 'A3: amounts of what the bank debits and returns are not looked at',
    edits: [
      {
        path: 'service/src/modules/transfers/read-bank-messages.ts',
        from: "entry.amountPence === ordered ? 'SETTLED' : null",
        to: "'SETTLED'",
      },
      {
        path: 'service/src/modules/transfers/book-differences.ts',
        from: 'let left = endToEndIds;',
        to: 'let left = endToEndIds.slice(endToEndIds.length);',
      },
    ],
  },
  {
    name: "A4: the bank's own balance is used nowhere",
    // The hub of the model keeps no balance: its sequences share the collecting account.
    foundBy: 'test/journeys/payouts/bank-balance.test.ts',
    edits: [
      {
        path: 'service/src/modules/transfers/reconcile-balances.ts',
        from: 'await reconcile(tools, row, patienceMs);',
        to: '',
      },
    ],
  },
  {
    name: 'a refund is handed over before its payment has arrived',
    edits: [
      {
        path: 'service/src/modules/refunds/outgoing/store.ts',
        from: 'or r.refunds_before_settlement as may_precede',
        to: 'or true as may_precede',
      },
      {
        path: 'service/src/modules/refunds/core/store/commit-refunds.ts',
        from: 'or w.refunds_before_settlement)) as may_go',
        to: 'or true)) as may_go',
      },
    ],
  },
  {
    name: 'what has left is refunded again, because its refund had failed',
    foundBy: 'test/journeys/refunds/contradictions.test.ts',
    edits: [
      {
        path: 'service/src/modules/refunds/core/store/unreturned.ts',
        from: 'and t.unreturned_pence > 0 and u.attempt_id = a.attempt_id',
        to: 'and false and u.attempt_id = a.attempt_id',
      },
    ],
  },
  {
    name: 'a debit reverses a payment before a second credit could come',
    foundBy: 'test/simulation/credit-orders.test.ts',
    edits: [
      {
        path: 'service/src/modules/credits/reverse-credits.ts',
        from: 'return held?.awaited_ms ?? 0;',
        to: 'return held === undefined ? 0 : 0 * held.awaited_ms;',
      },
    ],
  },
  {
    name: 'a payout is closed with money that a debit may take',
    foundBy: 'test/journeys/payouts/debits.test.ts',
    edits: [
      {
        path: 'service/src/modules/credits/store/held-payments.ts',
        from: 'and (exists (select from store_bank_account s',
        to: 'and false and (exists (select from store_bank_account s',
      },
    ],
  },
  {
    name: 'a payment that is reversed owes to the new account of its store',
    foundBy: 'test/simulation/outgoing-money.test.ts',
    edits: [
      {
        path: 'service/src/modules/transfers/store/order-transfers.ts',
        from: 'where f.reason in (',
        to: 'where false and f.reason in (',
      },
    ],
  },
  {
    name: 'a debit is looked for by the words of the bank alone',
    foundBy: 'test/journeys/payouts/debits.test.ts',
    edits: [
      {
        path: 'service/src/modules/credits/store/credits.ts',
        from: 'known_as = coalesce(c.known_as, (select id from named))',
        to: 'known_as = c.known_as',
      },
    ],
  },
  {
    name: 'a payment stands of which the account lists a debit and no credit',
    foundBy: 'test/simulation/credit-orders.test.ts',
    edits: [
      {
        path: 'service/src/modules/credits/reverse-credits.ts',
        from: 'named?.amountPence === amountPence ? await untilReversed(tools, named) : null',
        to: 'named === undefined ? await untilReversed(tools, named) : null',
      },
    ],
  },
  {
    name: 'a debit of another amount holds nothing',
    foundBy: 'test/simulation/credit-orders.test.ts',
    edits: [
      {
        path: 'service/src/modules/credits/reverse-credits.ts',
        from: 'if (named && named.amountPence !== amountPence) {',
        to: 'if (named && named.amountPence !== amountPence && named === undefined) {',
      },
    ],
  },
  {
    name: 'the lines of a payout that failed are lost',
    edits: [
      {
        path: 'service/src/modules/payouts/store/commit-payout.ts',
        from: "and l.state = 'CURRENT' and :releasesLines::boolean",
        to: "and l.state = 'CURRENT' and :releasesLines::boolean and false",
      },
    ],
  },
];

/** The text of a file with its edits: what each is made from stands there once. */
export const edited = (original: string, path: string, edits: readonly Edit[]): string =>
  edits.reduce((text, { from, to }) => {
    if (text.split(from).length !== 2) throw new Error(`${path} does not have this once: ${from}`);
    return text.replace(from, () => to);
  }, original);
