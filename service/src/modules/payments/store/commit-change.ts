import { cardsValue, saveCardCtes } from '#modules/cards/index.ts';
import { emitEventsCtes, emittedEndpoints, eventsValue } from '#modules/events/index.ts';
import { postEntriesCtes, postingsValue } from '#modules/ledger/index.ts';
import { isLostToAnother, isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import type { Change } from '../draft-change.ts';
import { committedPence } from '../split-bill.ts';
import { changingColumns, fixedColumns } from './attempt-columns.ts';
import { attemptToJson } from './attempt-json.ts';
import { searchableValue, searchCtes } from './search-ctes.ts';

const allColumns = [...fixedColumns, ...changingColumns];
const recordset = (columns: readonly (readonly [string, string])[]) =>
  columns.map(([column, type]) => `${column} ${type}`).join(', ');
const names = (columns: readonly (readonly [string, string])[], prefix = '') =>
  columns.map(([column]) => `${prefix}${column}`).join(', ');

const attemptNames = `merchant_id, environment, attempt_id, payment_request_id, ${names(allColumns)},
  authorise_by, poll_at, capture_at`;
const attemptValues = `:merchantId, :environment, c.attempt_id, request.payment_request_id,
  ${names(allColumns, 'c.')}, c.authorise_by_business - request.moved,
  c.poll_business_at - request.moved,
  case when c.step = 'AUTHORISED' then c.capture_business_at - request.moved end`;

type Saving = { readonly ctes: string; readonly cardId: string };

const nothingSaved: Saving = { ctes: '', cardId: 'excluded.card_id' };

/** A card that the customer has already keeps its id, which only the statement that saves it knows. */
const cardSaved: Saving = {
  ctes: `${saveCardCtes('request')},`,
  cardId: `coalesce((select k.card_id from card_saved k where k.attempt_id = a.attempt_id),
    excluded.card_id)`,
};

/**
 * One transition of a payment: new state, history, books, events with their deliveries, saved card, or
 * nothing. Guarded by the version and by the state it leaves.
 */
const commitStatement = (name: string, saving: Saving) =>
  statement<Values, Written>(
    name,
    `with tenant as (select clock_offset(:merchantId, :environment) as moved),
  request as (
    update payment_request r set status = :toStatus, version = r.version + 1,
      paid_pence = :paidPence, committed_pence = :committedPence,
      live_attempt_count = :liveAttemptCount,
      event_sequence = :eventSequence, time_extensions = :timeExtensions,
      expires_business_at = :expiresBusinessAt,
      expires_at = :expiresBusinessAt::timestamptz - tenant.moved, updated_at = :updatedAt
    from tenant
    where r.merchant_id = :merchantId and r.environment = :environment
      and r.payment_request_id = :paymentRequestId
      and r.version = :version and r.status = :fromStatus
    returning r.payment_request_id, r.version, tenant.moved
  ),
  ${saving.ctes}
  -- By the arbiter alone an attempt is found by its key, whatever is known of the table (31).
  changed as (
    insert into attempt as a (${attemptNames})
    select ${attemptValues}
    from request, jsonb_to_recordset(:changedAttempts::jsonb)
      as c (attempt_id uuid, ${recordset(allColumns)})
    on conflict (merchant_id, environment, attempt_id) do update set ${assignments(saving)}
      where a.payment_request_id = excluded.payment_request_id
  ),
  started as (
    insert into attempt (${attemptNames})
    select ${attemptValues}
    from request, jsonb_to_recordset(:newAttempts::jsonb)
      as c (attempt_id uuid, ${recordset(allColumns)})
  ),
  history as (
    insert into payment_history (merchant_id, environment, payment_request_id, version, position,
      subject, subject_id, from_status, to_status, trigger, detail, occurred_at)
    select :merchantId, :environment, request.payment_request_id, request.version, h.position,
      h.subject, h.subject_id, h.from_status, h.to_status, h.trigger, h.detail, :now
    from request, jsonb_to_recordset(:history::jsonb) as h (position smallint, subject text,
      subject_id uuid, from_status text, to_status text, trigger text, detail text)
  ),
  directory as (
    insert into public_id (public_id, kind, merchant_id, environment, target_id)
    select d.public_id, d.kind, :merchantId, :environment, d.target_id
    from request, jsonb_to_recordset(:directory::jsonb)
      as d (public_id text, kind text, target_id uuid)
  ),
  ${searchCtes('request')},
  ${postEntriesCtes('request')},
  ${emitEventsCtes('request')}
  select ${emittedEndpoints} as endpoints from request`,
  );

const assignments = ({ cardId }: Saving): string =>
  [...changingColumns.map(([column]) => column), 'authorise_by', 'poll_at', 'capture_at']
    .map((column) => `${column} = ${column === 'card_id' ? cardId : `excluded.${column}`}`)
    .join(', ');

// Most changes save no card: they do not pay for it.
const commit = commitStatement('payment_commit_change', nothingSaved);
const commitSaving = commitStatement('payment_commit_change_saving', cardSaved);

type Written = { readonly endpoints: readonly string[] };

type Values = {
  readonly merchantId: string;
  readonly environment: string;
  readonly paymentRequestId: string;
  readonly version: number;
  readonly fromStatus: string;
  readonly toStatus: string;
  readonly paidPence: bigint;
  readonly committedPence: bigint;
  readonly liveAttemptCount: number;
  readonly eventSequence: number;
  readonly timeExtensions: number;
  readonly expiresBusinessAt: Date;
  readonly now: Date;
  readonly updatedAt: Date;
  readonly changedAttempts: string;
  readonly newAttempts: string;
  readonly history: string;
  readonly directory: string;
  readonly searchable: string;
  readonly postings: string;
  readonly events: string;
  readonly cards: string;
};

/** Whom the change must be told to; null where someone else was first and nothing was written. */
export const commitChange = async (
  database: Database,
  change: Change,
): Promise<readonly string[] | null> => {
  try {
    const { merchantId } = change.payment.tenant;
    const { saved, letGo } = change.cards;
    const chosen = saved.length + letGo.length > 0 ? commitSaving : commit;
    const [written] = await database.tenant(merchantId, chosen, valuesOf(change));
    return written?.endpoints ?? null;
  } catch (error) {
    // Another attempt of this request was handed to its bank first.
    if (isUniqueViolation(error, 'attempt_one_submitted') || isLostToAnother(error)) return null;
    throw error;
  }
};

const valuesOf = (change: Change): Values => {
  const { payment, before } = change;
  const isNews = change.isNews || change.history.length > 0;
  const attempts = (chosen: ReadonlySet<string>) =>
    JSON.stringify(
      payment.attempts.filter(({ attemptId }) => chosen.has(attemptId)).map(attemptToJson),
    );
  return {
    ...payment.tenant,
    paymentRequestId: payment.paymentRequestId,
    version: before.version,
    fromStatus: before.status,
    toStatus: payment.status,
    paidPence: payment.paidPence,
    committedPence: committedPence(payment),
    liveAttemptCount: payment.liveAttemptCount,
    eventSequence: payment.eventSequence,
    timeExtensions: payment.timeExtensions,
    expiresBusinessAt: payment.expiresBusinessAt,
    now: payment.now,
    updatedAt: isNews ? payment.now : before.updatedAt,
    changedAttempts: attempts(change.changedAttempts),
    newAttempts: attempts(change.newAttempts),
    history: JSON.stringify(
      change.history.map((row, position) => ({
        position,
        subject: row.subject,
        subject_id: row.subjectId,
        from_status: row.fromStatus,
        to_status: row.toStatus,
        trigger: row.trigger,
        detail: row.detail,
      })),
    ),
    directory: JSON.stringify(
      change.directory.map((row) => ({
        public_id: row.publicId,
        kind: row.kind,
        target_id: row.targetId,
      })),
    ),
    searchable: searchableValue(change),
    postings: postingsValue(change.postings),
    events: eventsValue(change.events),
    cards: cardsValue(change.cards.saved, change.cards.letGo),
  };
};
