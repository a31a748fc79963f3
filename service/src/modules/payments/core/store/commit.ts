import { liveCardsCte, saveCardCtes } from '#modules/cards/index.ts';
import { emitEventsCtes, emittedEndpoints } from '#modules/events/index.ts';
import { postEntriesCtes } from '#modules/ledger/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { openCasesCtes, resolveCasesCtes } from '#modules/operator-cases/index.ts';
import { searchCtes } from '#modules/search/index.ts';
import type { Scope } from '#platform/database/batch-statement.ts';
import { sql, value } from '#platform/database/sql.ts';
import { columnNames, columnTypes, statement } from '#platform/database/statement.ts';
import { changingColumns, fixedColumns } from './attempt-columns.ts';
import type { CommitValues } from './commit-change.ts';
import { pollCtes } from './next-poll.ts';

const allColumns = { ...fixedColumns, ...changingColumns };

const attemptNames = `merchant_id, environment, attempt_id, payment_request_id, ${columnNames(allColumns)},
  authorise_by, capture_at`;
const attemptsOf = <const Name extends string>(rows: Name) => sql('merchantId', 'environment')`
   select :merchantId, :environment, c.attempt_id,
      request.payment_request_id, ${columnNames(allColumns, 'c')},
      c.authorise_by_business - request.moved,
      case when c.step = 'AUTHORISED' then c.capture_business_at - request.moved end
    from jsonb_to_recordset(${value(rows)}::jsonb) as c (attempt_id uuid, payment_request_id uuid,
      ${columnTypes(allColumns)})
    join request on request.payment_request_id = c.payment_request_id`;

// A column that is wide and seldom changes is sent when it does; it never becomes empty again.
const keptColumns: readonly string[] = ['rail_state_encrypted', 'payer_encrypted'];

/** A card that the customer has already keeps its id, which only the saving statement knows. */
const savedCardId = `coalesce((select k.card_id from card_saved k where k.attempt_id = a.attempt_id),
    excluded.card_id)`;

const assignments = (savesCards: boolean): string =>
  [...Object.keys(changingColumns), 'authorise_by', 'capture_at']
    .map((column) => {
      if (column === 'card_id' && savesCards) return `card_id = ${savedCardId}`;
      const isKept = keptColumns.includes(column);
      return `${column} = ${isKept ? `coalesce(excluded.${column}, a.${column})` : `excluded.${column}`}`;
    })
    .join(', ');

/**
 * One transition of each payment: new state, history, books, events with their deliveries, saved card,
 * or nothing. Guarded by the version and by the state it leaves.
 */
const commitStatement = (name: string, rare: 'none' | 'cards' | 'cases') =>
  statement<CommitValues & Scope, Written>(
    name,
    sql('changes', 'merchantId', 'environment', 'paymentRequestIds', 'history', 'directory')`
   with tenant as materialized (select ${clockOffsetSql} as moved),
  change as materialized (
    select * from jsonb_to_recordset(:changes::jsonb) as c (item int, payment_request_id uuid,
      version int, from_status text, to_status text, paid_pence bigint, committed_pence bigint,
      charged_card_id uuid, live_attempt_count int, event_sequence int, time_extensions smallint,
      expires_business_at timestamptz, now timestamptz, updated_at timestamptz,
      starts boolean, clock_offset_ms bigint)
    order by payment_request_id
  ),
  ${liveCardsCte},
  request as (
    update payment_request r set status = c.to_status, version = r.version + 1,
      paid_pence = c.paid_pence, committed_pence = c.committed_pence,
      live_attempt_count = c.live_attempt_count, event_sequence = c.event_sequence,
      time_extensions = c.time_extensions, expires_business_at = c.expires_business_at,
      expires_at = c.expires_business_at - tenant.moved, updated_at = c.updated_at
    from change c, tenant
    -- By the list each is found by its key; by the join alone, all of the merchant's might be read.
    where r.merchant_id = :merchantId and r.environment = :environment
      and r.payment_request_id = any (:paymentRequestIds::uuid[])
      and r.payment_request_id = c.payment_request_id
      and r.version = c.version and r.status = c.from_status
      and extract(epoch from tenant.moved) * 1000 = c.clock_offset_ms
      and (not c.starts or not exists (select from merchant_switch w
        where w.merchant_id = :merchantId and w.environment = :environment
          and w.suspension_id is not null))
      and (c.charged_card_id is null
        or c.charged_card_id in (select k.card_id from live_card k))
    returning r.payment_request_id, r.version, r.store_id, r.customer_id, c.item, c.now,
      tenant.moved
  ),
  ${rare === 'cards' ? sql()`${saveCardCtes('request')},` : sql()``}
  -- By the arbiter alone an attempt is found by its key, whatever is known of the table
  -- (0004-plans-of-statements.md).
  changed as (
    insert into attempt as a (${attemptNames})
    ${attemptsOf('changedAttempts')}
    on conflict (merchant_id, environment, attempt_id) do update
      set ${assignments(rare === 'cards')}
      where a.payment_request_id = excluded.payment_request_id
  ),
  started as (
    insert into attempt (${attemptNames})
    ${attemptsOf('newAttempts')}
  ),
  ${pollCtes('request')},
  history as (
    insert into payment_history (merchant_id, environment, payment_request_id, version, position,
      subject, subject_id, from_status, to_status, trigger, detail, occurred_at)
    select :merchantId, :environment, request.payment_request_id, request.version, h.position,
      h.subject, h.subject_id, h.from_status, h.to_status, h.trigger, h.detail, request.now
    from jsonb_to_recordset(:history::jsonb) as h (payment_request_id uuid, position smallint,
      subject text, subject_id uuid, from_status text, to_status text, trigger text, detail text)
    join request on request.payment_request_id = h.payment_request_id
  ),
  directory as (
    insert into public_id (public_id, kind, merchant_id, environment, target_id)
    select d.public_id, d.kind, :merchantId, :environment, d.target_id
    from jsonb_to_recordset(:directory::jsonb) as d (payment_request_id uuid, public_id text,
      kind text, target_id uuid)
    join request on request.payment_request_id = d.payment_request_id
  ),
  ${searchCtes('request')},
  ${postEntriesCtes('request', 'payment_request_id')},
  ${openCasesCtes('request', 'payment_request_id')},
  ${rare === 'cases' ? sql()`${resolveCasesCtes('request', 'payment_request_id')},` : sql()``}
  ${emitEventsCtes('request', 'payment_request_id')}
  select request.item, ${emittedEndpoints} as endpoints from request`,
    {
      guardedBy:
        'version, status and clock as read; no start while suspended or by a ' +
        'card that was deleted; unique attempt_one_pending_or_paid; ' +
        'unique dedupe_key of an event',
    },
  );

// Most changes save no card and settle no case: they do not pay for it.
export const commit = commitStatement('payment_commit_change', 'none');
export const commitSaving = commitStatement('payment_commit_change_saving', 'cards');
export const commitResolving = commitStatement('payment_commit_change_resolving', 'cases');

export type Written = {
  readonly item: number;
  /** Of everything written together. */
  readonly endpoints: readonly string[];
};
