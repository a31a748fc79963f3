import { cardsValue } from '#modules/cards/index.ts';
import { eventsValue } from '#modules/events/index.ts';
import { postingsValue } from '#modules/ledger/index.ts';
import { casesValue } from '#modules/operator-cases/index.ts';
import type { Change } from '../draft-change.ts';
import { committedPence } from '../find-share.ts';
import { attemptToJson } from './attempt-from-json.ts';
import { searchableRows } from './searchable-rows.ts';

export type CommitValues = Readonly<
  Record<
    | 'changes'
    | 'changedAttempts'
    | 'newAttempts'
    | 'history'
    | 'directory'
    | 'searchable'
    | 'postings'
    | 'cases'
    | 'events'
    | 'cards',
    string
  >
> & { readonly paymentRequestIds: readonly string[]; readonly cardIds: readonly string[] };

/** Names the payment, because several are written together. */
export const commitValues = (changes: readonly Change[]): CommitValues => ({
  paymentRequestIds: changes.map(({ payment }) => payment.paymentRequestId),
  cardIds: changes.flatMap((change) => chargedCard(change) ?? []),
  changes: JSON.stringify(changes.map(changeRow)),
  changedAttempts: JSON.stringify(changes.flatMap((each) => attemptRows(each, 'changedAttempts'))),
  newAttempts: JSON.stringify(changes.flatMap((each) => attemptRows(each, 'newAttempts'))),
  history: JSON.stringify(changes.flatMap(historyRows)),
  directory: JSON.stringify(changes.flatMap(directoryRows)),
  searchable: JSON.stringify(changes.flatMap(searchableRows)),
  postings: postingsValue(changes.flatMap(({ postings }) => postings)),
  cases: casesValue(
    changes.flatMap(({ payment, cases }) =>
      cases.map((opened) => ({ resourceId: payment.paymentRequestId, opened })),
    ),
  ),
  events: eventsValue(changes.flatMap(({ events }) => events)),
  cards: cardsValue(
    changes.flatMap(({ cards }) => cards.saved),
    changes.flatMap(({ cards }) => cards.detached),
  ),
});

/** The saved card that a new attempt charges. */
export const chargedCard = ({ payment, newAttempts }: Change): string | null =>
  payment.attempts.find(({ attemptId }) => newAttempts.has(attemptId))?.card?.cardId ?? null;

const changeRow = (change: Change, item: number) => ({
  item,
  ...rowOf(change),
  charged_card_id: chargedCard(change),
});

const rowOf = ({ payment, before, isVisible, history, newAttempts }: Change) => ({
  payment_request_id: payment.paymentRequestId,
  version: before.version,
  from_status: before.status,
  to_status: payment.status,
  paid_pence: payment.paidPence.toString(),
  committed_pence: committedPence(payment).toString(),
  live_attempt_count: payment.liveAttemptCount,
  event_sequence: payment.eventSequence,
  time_extensions: payment.timeExtensions,
  expires_business_at: payment.expiresBusinessAt,
  now: payment.now,
  starts: newAttempts.size > 0,
  updated_at: isVisible || history.length > 0 ? payment.now : before.updatedAt,
});

const attemptRows = (change: Change, chosen: 'changedAttempts' | 'newAttempts') =>
  change.payment.attempts
    .filter(({ attemptId }) => change[chosen].has(attemptId))
    .map((attempt) => ({
      payment_request_id: change.payment.paymentRequestId,
      ...attemptToJson(attempt),
    }));

const historyRows = ({ payment, history }: Change) =>
  history.map((row, position) => ({
    payment_request_id: payment.paymentRequestId,
    position,
    subject: row.subject,
    subject_id: row.subjectId,
    from_status: row.fromStatus,
    to_status: row.toStatus,
    trigger: row.trigger,
    detail: row.detail,
  }));

const directoryRows = ({ payment, directory }: Change) =>
  directory.map((row) => ({
    payment_request_id: payment.paymentRequestId,
    public_id: row.publicId,
    kind: row.kind,
    target_id: row.targetId,
  }));
