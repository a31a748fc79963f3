import { type Pence, pence, poundsText } from '#kernel/pence.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { ReportEffect, TransferOutcome, TransferReport } from '#modules/transfers/index.ts';
import type { Payout, PayoutPart } from './payout.ts';
import type { PayoutTrigger } from './payout-lifecycle.ts';
import type { PayoutBooking } from './payout-postings.ts';

/** What a report about one transfer of a payout changes. */
export type ReportChange = {
  readonly trigger: PayoutTrigger;
  readonly outcome: TransferOutcome;
  readonly bookings: readonly PayoutBooking[];
  readonly releasesLines: boolean;
  readonly opened: readonly OperatorCase[];
};

/** The change, or what the report was when it changes nothing. */
export const reportChange = (
  payout: Payout,
  report: TransferReport,
): ReportChange | ReportEffect => {
  const before = payout.parts.find(({ endToEndId }) => endToEndId === report.endToEndId);
  if (!before) return 'LATE';
  const outcome = outcomeOf(before.outcome, report.stage);
  if (outcome === 'EXPECTED' || outcome === 'LATE') return outcome;
  const parts = payout.parts.map((part) => (part === before ? { ...part, outcome } : part));
  if (parts.length === 1) return wholeChange(payout, outcome);
  if (payout.status === 'SETTLED') return returnChange(payout, parts, before);
  return partChange(payout, parts, { ...before, outcome }, before.outcome === 'SETTLED');
};

/** A return before the settlement was reported has left, too. */
const outcomeOf = (
  before: TransferOutcome | null,
  stage: TransferReport['stage'],
): TransferOutcome | ReportEffect => {
  if (before === null) {
    if (stage === 'IN_PROGRESS') return 'EXPECTED';
    return stage === 'NOT_SENT' ? 'REJECTED' : stage;
  }
  if (stage === 'IN_PROGRESS') return 'LATE';
  if (before === 'SETTLED') return stage === 'SETTLED' ? 'EXPECTED' : 'RETURNED';
  return stage === 'REJECTED' || stage === 'RETURNED' ? 'EXPECTED' : 'LATE';
};

/** Of a payout that is one transfer. */
const wholeChange = (payout: Payout, outcome: TransferOutcome): ReportChange => {
  const { amountPence } = payout;
  if (outcome === 'SETTLED')
    return {
      ...{ trigger: 'settled', outcome, releasesLines: false, opened: [] },
      bookings: [{ moved: 'LEFT', amountPence, reason: 'PAYOUT_SETTLED' }],
    };
  return {
    ...{ outcome, releasesLines: true, opened: [] },
    ...(payout.status === 'SETTLED'
      ? {
          trigger: 'returned',
          bookings: [{ moved: 'RETURNED', amountPence, reason: 'PAYOUT_RETURNED' }],
        }
      : {
          trigger: 'rejected',
          bookings: [{ moved: 'STAYED', amountPence, reason: 'PAYOUT_REJECTED' }],
        }),
  };
};

/** What did not leave is payable when every part has ended: until then it stays in transit. */
const partChange = (
  payout: Payout,
  parts: readonly PayoutPart[],
  { outcome, amountPence, endToEndId }: PayoutPart,
  wasSettled: boolean,
): ReportChange => {
  const own = ownBookings(outcome, amountPence, wasSettled);
  const shared = { outcome: outcome ?? 'REJECTED', releasesLines: false, opened: [] };
  if (parts.some((part) => part.outcome === null))
    return { ...shared, trigger: 'partEnded', bookings: own };
  const unpaid = unpaidOf(parts);
  if (unpaid === 0n) return { ...shared, trigger: 'settled', bookings: own };
  const stayed = { moved: 'STAYED', amountPence: unpaid } as const;
  if (unpaid === payout.amountPence)
    return {
      ...{ ...shared, trigger: 'rejected', releasesLines: true },
      bookings: [...own, { ...stayed, reason: 'PAYOUT_REJECTED' }],
    };
  return {
    ...{ ...shared, trigger: 'settled', opened: [partlyPaid(payout, parts, endToEndId)] },
    bookings: [...own, { ...stayed, reason: 'TRANSFER_REJECTED' }],
  };
};

const ownBookings = (
  outcome: TransferOutcome | null,
  amountPence: Pence,
  wasSettled: boolean,
): readonly PayoutBooking[] => {
  if (outcome === 'SETTLED') return [{ moved: 'LEFT', amountPence, reason: 'TRANSFER_SETTLED' }];
  return wasSettled ? [{ moved: 'RECALLED', amountPence, reason: 'TRANSFER_RETURNED' }] : [];
};

/** A settled part came back. The lines stay where they are: each part is a line of its own. */
const returnChange = (
  payout: Payout,
  parts: readonly PayoutPart[],
  { amountPence, endToEndId }: PayoutPart,
): ReportChange => ({
  ...{ outcome: 'RETURNED', releasesLines: false },
  opened: [partlyPaid(payout, parts, endToEndId)],
  trigger: unpaidOf(parts) === payout.amountPence ? 'returned' : 'partReturned',
  bookings: [{ moved: 'RETURNED', amountPence, reason: 'TRANSFER_RETURNED' }],
});

const unpaidOf = (parts: readonly PayoutPart[]): Pence =>
  pence(
    parts.reduce(
      (sum, { outcome, amountPence }) => (outcome === 'SETTLED' ? sum : sum + amountPence),
      0n,
    ),
  );

/** Its subject is the transfer whose report it opens at: a later return is a case of its own. */
const partlyPaid = (
  payout: Payout,
  parts: readonly PayoutPart[],
  subject: string,
): OperatorCase => ({
  kind: 'PAYOUT_PARTLY_PAID',
  subject,
  description:
    'The bank took a payout as several transfers and did not pay all of them. What did not arrive is ' +
    'payable again, as a line of the next payout. Tell the merchant.',
  evidence: {
    payoutId: payout.payoutId,
    amountPence: payout.amountPence.toString(),
    unpaidPence: unpaidOf(parts).toString(),
    parts: parts
      .map((part) => `${part.endToEndId} £${poundsText(part.amountPence)} ${part.outcome}`)
      .join(', '),
  },
});
