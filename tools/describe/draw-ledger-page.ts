import type { Lifecycle } from '../../service/src/kernel/lifecycle.ts';
import { pence } from '../../service/src/kernel/pence.ts';
import {
  type Account,
  accounts,
  type Posting,
  post,
} from '../../service/src/modules/ledger/index.ts';
import * as book from '../../service/src/modules/payments/core/completed-postings.ts';
import type { Attempt, Payment } from '../../service/src/modules/payments/core/payment.ts';
import {
  type AttemptTrigger,
  attemptLifecycle,
} from '../../service/src/modules/payments/core/payment-lifecycles.ts';
import {
  type Payout,
  type PayoutBooking,
  type PayoutTrigger,
  payoutLifecycle,
  payoutPostings,
} from '../../service/src/modules/payouts/payout.ts';
import * as refundBook from '../../service/src/modules/refunds/core/change-refunds.ts';
import {
  type RefundTrigger,
  refundLifecycle,
} from '../../service/src/modules/refunds/core/change-refunds.ts';
import type { Refund } from '../../service/src/modules/refunds/core/refund.ts';

import { differencePostings } from '../../service/src/modules/transfers/index.ts';

/** When a change books entries, and which. */
type Booking = readonly [when: string, postings: readonly Posting[]];

const amount = pence(100n);
const now = new Date(0);
const payment = { paymentRequestId: '', store: { id: '' }, now } as Payment;
const attemptPaidTo = (settlesTo: Attempt['settlesTo'], isSettled = false): Attempt =>
  ({
    ...{ amountPence: amount, tipPence: pence(0n), settlesTo, isSettled, attemptId: '' },
    creditor: { sortCode: '', accountNumber: '', name: '' },
  }) as Attempt;
const [collected, direct, card] = (
  ['COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'PROCESSOR'] as const
).map((settlesTo) => attemptPaidTo(settlesTo)) as [Attempt, Attempt, Attempt];

const byBank = (on: (attempt: Attempt) => readonly Posting[]): readonly Booking[] => [
  ['payouts on', on(collected)],
  ['payouts off', on(direct)],
];
const paidByCard: Booking = ['by card', book.paidByCardPostings(payment, card, '')];
const captured = book.releasedPostings(payment, card, 'AUTHORISATION_CAPTURED', '');

const attemptBookings: Readonly<Record<AttemptTrigger, readonly Booking[]>> = {
  submitted: [],
  declinedByPayer: [],
  superseded: [],
  abandoned: [],
  requestExpired: [],
  requestCancelled: [],
  refusedByBank: [],
  exchangeLost: [],
  accepted: byBank((attempt) => book.completedPostings(payment, attempt, '')),
  rejected: [],
  reversed: [
    ...byBank((attempt) => book.reversedPostings(payment, attempt, '')),
    [
      'payouts on, settled',
      book.reversedPostings(payment, attemptPaidTo('COLLECTING_ACCOUNT', true), ''),
    ],
    [
      'payouts off, settled',
      book.reversedPostings(payment, attemptPaidTo('STORE_ACCOUNT', true), ''),
    ],
  ],
  paidAtProcessor: [paidByCard],
  declinedAtProcessor: [],
  cancelledAtProcessor: [['paid too late', book.latePostings(payment, card, '')]],
  authorised: [['by card', book.authorisedPostings(payment, card, '')]],
  captured: [['what was held', captured], paidByCard],
  cancelledByMerchant: [
    ['by card', book.releasedPostings(payment, card, 'AUTHORISATION_RELEASED', '')],
  ],
  authorisationExpired: [
    ['by card', book.releasedPostings(payment, card, 'AUTHORISATION_EXPIRED', '')],
  ],
};

const refundOf = (method: Refund['method']): Refund =>
  ({ refundId: '', storeId: '', amountPence: amount, method, now }) as Refund;
const byTransfer = refundOf('PAY_BY_BANK');
const overCard = refundOf('CARD');

const refundBookings: Readonly<Record<RefundTrigger, readonly Booking[]>> = {
  prepared: [],
  cancelled: [],
  paymentReversed: [],
  settled: [
    ['by transfer', refundBook.completedPostings(byTransfer, '')],
    ['by card', refundBook.completedPostings(overCard, '')],
  ],
  rejected: [
    ['by transfer', refundBook.rejectedPostings(byTransfer, '')],
    ['by card', refundBook.rejectedPostings(overCard, '')],
  ],
  returned: [
    ['by transfer', refundBook.returnedPostings(byTransfer, '')],
    ['by card', refundBook.returnedPostings(overCard, '')],
  ],
};

const payout = {
  payoutId: '',
  amountPence: amount,
  account: { sortCode: '', accountNumber: '', name: '' },
  now,
} as Payout;
const booked = (
  moved: PayoutBooking['moved'],
  reason: PayoutBooking['reason'],
): ReturnType<typeof payoutPostings> =>
  payoutPostings(payout, [{ moved, amountPence: amount, reason }], { uuid: () => '' });
const payoutBookings: Readonly<Record<PayoutTrigger, readonly Booking[]>> = {
  handedOver: [['', booked('HANDED_OVER', 'PAYOUT_HANDED_OVER')]],
  partEnded: [
    ['a part has left', booked('LEFT', 'TRANSFER_SETTLED')],
    ['a part has left and is back', booked('RECALLED', 'TRANSFER_RETURNED')],
  ],
  settled: [
    ['as one transfer', booked('LEFT', 'PAYOUT_SETTLED')],
    ['the last part has left', booked('LEFT', 'TRANSFER_SETTLED')],
    ['parts have not left', booked('STAYED', 'TRANSFER_REJECTED')],
  ],
  rejected: [
    ['', booked('STAYED', 'PAYOUT_REJECTED')],
    ['the last part had left and is back', booked('RECALLED', 'TRANSFER_RETURNED')],
  ],
  partReturned: [['', booked('RETURNED', 'TRANSFER_RETURNED')]],
  returned: [
    ['as one transfer', booked('RETURNED', 'PAYOUT_RETURNED')],
    ['the last part', booked('RETURNED', 'TRANSFER_RETURNED')],
  ],
};

/** Booked in SQL, for many payments at once. */
const feeBooking = (reason: string, debit: Account, credit: Account) =>
  post({ transactionId: '', reason, resourceId: '', attemptId: null, occurredAt: now }, [
    { debit, credit, amount },
  ]);

const differenceBooking = (difference: bigint, held: bigint) =>
  differencePostings({ subject_id: '', store_id: null, now }, '', {
    difference,
    held,
  });

/** What books entries and leaves the status as it is. */
const otherBookings: readonly Booking[] = [
  ...byBank((attempt) => book.settledPostings(payment, attempt, '')).map(
    ([when, postings]): Booking => [
      `a payment is settled, or its credit was seen, ${when}`,
      postings,
    ],
  ),
  ['a payment enters a payout, with a fee', feeBooking('FEE_CHARGED', 'MERCHANT_PAYABLE', 'FEES')],
  ['its bank reversed it', feeBooking('FEE_RETURNED', 'FEES', 'MERCHANT_PAYABLE')],
  ['a dispute is opened', book.disputedPostings(payment, card, amount, '')],
  ['a dispute is won', book.disputeWonPostings(payment, card, amount, '')],
  ['a refund was made at the processor', book.refundedPostings(payment, card, amount, '')],
  ['such a refund failed later', book.refundFailedPostings(payment, card, amount, '')],
  ['money that came too late was refunded', book.lateRefundedPostings(payment, card, '')],
  ['that refund failed later', book.lateRefundFailedPostings(payment, card, '')],
  ['a refund by transfer is handed over', refundBook.handedOverPostings(byTransfer, '')],
  [
    'the batch of a refund was refused because of another transfer',
    refundBook.rejectedPostings(byTransfer, ''),
  ],
  ['the bank has booked more of a transfer than the books say', differenceBooking(100n, 0n)],
  ['it has booked less, or the difference ends', differenceBooking(-100n, 0n)],
  ['what has left was payable again', differenceBooking(0n, 100n)],
  ['it came back', differenceBooking(0n, -100n)],
];

const meanings: Readonly<Record<Account, string>> = {
  DUE_FROM_BANK: 'a bank reported it paid, and it has not arrived yet',
  COLLECTING_ACCOUNT: "on the operator's account, which refunds and payouts leave from",
  STORE_ACCOUNT: "on the merchant's own account",
  HELD_AT_PROCESSOR: 'authorised by a card, neither captured nor released',
  MERCHANT_AUTHORISED: 'what the merchant may still capture',
  SETTLED_BY_PROCESSOR: 'paid by card: the processor settles it to the merchant',
  LATE_MONEY: 'came by card when nothing was to be paid any more: it goes back to the payer',
  MERCHANT_UNSETTLED: 'owed to the merchant once it has arrived',
  MERCHANT_PAYABLE: 'owed to the merchant now',
  MERCHANT_PAID_DIRECTLY: 'reached the merchant without passing through the operator',
  REFUNDS_IN_TRANSIT: 'handed to the bank for a payer, not yet seen to have gone',
  RETURNS: 'left the collecting account and came back',
  PAYOUTS_IN_TRANSIT: 'handed to the bank for the merchant, not yet seen to have gone',
  STORE_PAID_OUT: 'what payouts have brought to the accounts of the stores',
  MERCHANT_PAID_OUT: 'what the merchant has had by payouts',
  FEES: 'what the operator earns',
  BANK_DIFFERENCES: 'booked by the bank otherwise than ordered: a case says why',
  HELD_FOR_CASES: 'not payable until an operator has decided: it may have left already',
};

/** Every transition and its entries, printed by the functions that book them. */
export const drawLedgerPage = (): string =>
  [
    '# Ledger entries\n',
    '<!-- Generated from the lifecycle tables and the functions that book by npm run generate:',
    'do not edit it here. -->\n',
    'What each change books. [All rules](README.md)\n',
    '## LEDGER-1\n',
    '**Accounts.** An entry debits one account and credits another with the same amount, in the',
    'statement that changes the state (MONEY-8).\n',
    '| account | holds |',
    '| --- | --- |',
    ...accounts.map((account) => `| \`${account}\` | ${meanings[account]} |`),
    '\n## LEDGER-2\n',
    '**Entries of each transition.** A transition without a row here books nothing.\n',
    ...drawTransitions(attemptLifecycle, attemptBookings),
    ...drawTransitions(refundLifecycle, refundBookings),
    ...drawTransitions(payoutLifecycle, payoutBookings),
    '### without a transition\n',
    '| change | reason | debit | credit |',
    '| --- | --- | --- | --- |',
    ...otherBookings.flatMap(([when, postings]) => drawEntries(when, postings)),
    '',
  ].join('\n');

const drawTransitions = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
  bookings: Readonly<Record<Trigger, readonly Booking[]>>,
): readonly string[] => {
  const rows = table.edges.flatMap(({ from, trigger, to }) =>
    bookings[trigger].flatMap(([when, postings]) =>
      drawEntries(`${from} → ${to}, ${trigger}${when && `: ${when}`}`, postings),
    ),
  );
  const silent = table.edges.filter(({ trigger }) =>
    bookings[trigger].every(([, postings]) => postings.length === 0),
  );
  return [
    `### ${table.name}\n`,
    '| transition | reason | debit | credit |',
    '| --- | --- | --- | --- |',
    ...rows,
    `\nWithout entries: ${[...new Set(silent.map(({ trigger }) => trigger))].join(', ') || 'none'}.\n`,
  ];
};

/** `post` gives a debit and its credit, one after the other. */
const drawEntries = (when: string, postings: readonly Posting[]): readonly string[] =>
  postings.flatMap((debit, index) => {
    const credit = postings[index + 1];
    if (index % 2 === 1 || !credit) return [];
    return [`| ${when} | \`${debit.reason}\` | \`${debit.account}\` | \`${credit.account}\` |`];
  });
