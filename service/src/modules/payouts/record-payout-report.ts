import { type Pence, pence, poundsText } from '#kernel/pence.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type {
  ReportEffect,
  ReportReceiver,
  TransferOutcome,
  TransferReport,
} from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Payout,
  type PayoutBooking,
  type PayoutPart,
  type PayoutTrigger,
  payoutLifecycle,
  payoutPostings,
} from './payout.ts';
import { commitPayout } from './store/commit-payout.ts';
import { payoutOf, readPayout } from './store/payouts.ts';

/** What a report about one transfer of a payout changes. */
type ReportChange = {
  readonly trigger: PayoutTrigger;
  readonly outcome: TransferOutcome;
  readonly bookings: readonly PayoutBooking[];
  readonly releasesLines: boolean;
  readonly opened: readonly OperatorCase[];
};

/** The change, or what the report was when it changes nothing. */
const reportChange = (payout: Payout, report: TransferReport): ReportChange | ReportEffect => {
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

const maxTries = 50;

/**
 * The bank's reports about the transfers of payouts: the first report has its effect, a repeated one
 * none. A merchant has few payouts a day, so each is a statement of its own.
 */
export const recordPayoutReport =
  (tools: RecordTools): ReportReceiver =>
  async (_tenant, reports) => {
    const effects: ReportEffect[] = [];
    for (const report of reports) effects.push(await record(tools, report));
    return effects;
  };

type RecordTools = Uses<'database' | 'ids'>;

const record = async (tools: RecordTools, report: TransferReport): Promise<ReportEffect> => {
  for (let round = 0; round < maxTries; round += 1) {
    const effect = await tryToRecord(tools, report);
    if (effect) return effect;
  }
  throw new Error('a payout keeps changing');
};

/** Null when the payout was changed concurrently. */
const tryToRecord = async (
  { database, ids }: RecordTools,
  report: TransferReport,
): Promise<ReportEffect | null> => {
  const { tenant, subjectId: payoutId } = report;
  const [row] = await database.tenant(tenant.merchantId, readPayout, { ...tenant, payoutId });
  if (!row) return 'LATE';
  const payout = payoutOf(row);
  const change = reportChange(payout, report);
  if (typeof change === 'string') return change;
  const { trigger, outcome, bookings, releasesLines, opened } = change;
  const toStatus = payoutLifecycle.next(payout.status, trigger);
  if (!toStatus) return 'LATE';
  const isWon = await commitPayout(database, {
    ...{ payout, toStatus, trigger, releasesLines, opened },
    endToEndId: payout.endToEndId,
    error: outcome === 'SETTLED' ? null : errorOf(report),
    turnVersion: null,
    postings: payoutPostings(payout, bookings, ids),
    batches: [],
    ended: [{ resourceId: payoutId, endToEndId: report.endToEndId, outcome }],
  });
  return isWon ? 'EXPECTED' : null;
};

const errorOf = ({ reason }: TransferReport) => ({
  code: reason?.code ?? 'RETURNED',
  description: reason?.description ?? 'The bank returned the money.',
});
