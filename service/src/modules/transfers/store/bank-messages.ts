import type { Environment } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const deliveredBefore = 'It was delivered before.';

/** Put aside, with no text to take it from: only the bank has it still. */
const isLost = `m.quarantine_reason <> '${deliveredBefore}' and m.message_encrypted is null`;

/** Ends the lost deliveries of a message that this statement has taken. `taken` is its row. */
const endLostDeliveries = `
   update bank_message m set quarantine_reason = null, text = null from taken
   where taken.quarantine_reason is null and m.environment = taken.environment
     and m.message_id = taken.message_id and m.reference <> taken.reference and ${isLost}`;

export const listLostDeliveries = statement<
  {
    readonly environment: Environment;
    readonly reference: string;
    readonly messageId: string | null;
  },
  { readonly reference: string }
>(
  'bank_message_list_lost',
  sql('environment', 'reference', 'messageId')`
   select m.reference from bank_message m where m.environment = :environment
     and m.message_id = :messageId and m.reference <> :reference and ${isLost}`,
);

type BankMessage = {
  readonly environment: string;
  readonly reference: string;
  readonly kind: string;
  readonly messageId: string | null;
  readonly answers: string | null;
  readonly quarantineReason: string | null;
  readonly text: string | null;
  readonly messageEncrypted: Buffer | null;
};

export const insertBankMessage = statement<BankMessage, never>(
  'bank_message_insert',
  sql(
    'environment',
    'reference',
    'kind',
    'messageId',
    'answers',
    'quarantineReason',
    'text',
    'messageEncrypted',
  )`
   with taken as (
     insert into bank_message (environment, reference, kind, message_id, answers,
       quarantine_reason, text, message_encrypted)
     values (:environment, :reference, :kind, :messageId, :answers, :quarantineReason, :text,
       :messageEncrypted)
     on conflict (environment, reference) do update set message_id = excluded.message_id,
       answers = excluded.answers, quarantine_reason = excluded.quarantine_reason,
       text = excluded.text, message_encrypted = excluded.message_encrypted, last_error = null
     where bank_message.last_error is not null
     returning environment, reference, message_id, quarantine_reason)
   ${endLostDeliveries}`,
  {
    guardedBy:
      'primary key (environment, reference): a message that was taken or put aside stays as it is',
  },
);

/** Counts in the row, so that a restart and a second worker count on. */
export const insertFailedTry = statement<
  Pick<BankMessage, 'environment' | 'reference' | 'kind'> & { readonly lastError: string },
  never
>(
  'bank_message_insert_failed_try',
  sql('environment', 'reference', 'kind', 'lastError')`
   insert into bank_message (environment, reference, kind, tries, last_error)
   values (:environment, :reference, :kind, 1, :lastError)
   on conflict (environment, reference) do update
     set tries = bank_message.tries + 1, last_error = excluded.last_error
   where bank_message.last_error is not null`,
  {
    guardedBy:
      'primary key (environment, reference): a message that was taken or put aside stays as it is',
  },
);

type Selected = Pick<BankMessage, 'environment' | 'reference' | 'messageId'>;

/** `is_stored`: this delivery was handled. `is_twice`: another one was taken, or its text is kept. */
export const findBankMessage = statement<
  Selected,
  {
    readonly is_stored: boolean;
    readonly is_twice: boolean;
    readonly reason: string | null;
    readonly tries: number | null;
    readonly last_error: string | null;
  }
>(
  'bank_message_find',
  sql('environment', 'reference', 'messageId')`
   select exists (select from bank_message where environment = :environment
       and reference = :reference and last_error is null) as is_stored,
     exists (select from bank_message where environment = :environment
       and message_id = :messageId and reference <> :reference
       and (quarantine_reason is null or message_encrypted is not null)) as is_twice,
     own.quarantine_reason as reason, own.tries, own.last_error
   from (select) one left join bank_message own on own.environment = :environment
     and own.reference = :reference`,
);

export type QuarantinedRow = {
  readonly environment: Environment;
  readonly reference: string;
  readonly kind: 'STATUS_REPORT' | 'ACCOUNT_REPORT' | 'UNREADABLE';
  readonly message_id: string | null;
  readonly answers: string | null;
  readonly quarantine_reason: string;
  readonly text: string | null;
  readonly received_at: Date;
  readonly is_kept: boolean;
  readonly again_at: Date | null;
};

/** One row more than there are messages, so that an empty page still has the number. */
export const listQuarantined = statement<
  { readonly limit: number; readonly skipped: number },
  { readonly total: number } & (QuarantinedRow | { readonly reference: null })
>(
  'bank_message_list_quarantined',
  sql('limit', 'skipped')`
   select n.total, listed.* from (select count(*)::int as total from bank_message
     where quarantine_reason is not null) n
   left join lateral (select environment, reference, kind, message_id, answers, quarantine_reason,
       text, received_at, message_encrypted is not null as is_kept, again_at from bank_message
     where quarantine_reason is not null
     order by received_at desc, environment, reference limit :limit offset :skipped) listed on true`,
  { readsWholeTables: true },
);

/** Many notices before a reading are one: the messages are read once. */
export const recordNotice = statement<{ readonly environment: Environment }, never>(
  'bank_notice_record',
  sql('environment')`
   insert into bank_notice as n (environment, noticed, noticed_at)
   values (:environment, 1, statement_timestamp())
   on conflict (environment) do update set noticed = n.noticed + 1,
     noticed_at = case when n.noticed > n.followed then n.noticed_at else excluded.noticed_at end`,
  { guardedBy: 'it only counts: a notice that comes twice makes one reading due' },
);

/** When messages were first said to wait that were not read since. */
export const noticeDueAt = (environment: Environment) =>
  earliestDue({
    at: 'noticed_at',
    from: 'bank_notice',
    indexed: `noticed > followed and environment = '${environment}'`,
  });

type Followed = { readonly environment: Environment; readonly noticed: string };

/** Read before the messages, so that a notice which comes while they are read stays due. */
export const listNotices = statement<Pick<Followed, 'environment'>, Pick<Followed, 'noticed'>>(
  'bank_notice_list',
  sql('environment')`
   select noticed::text from bank_notice
   where environment = :environment and noticed > followed`,
);

export const followNotice = statement<Followed, never>(
  'bank_notice_follow',
  sql('environment', 'noticed')`
   update bank_notice set followed = :noticed::bigint
   where environment = :environment and followed < :noticed::bigint`,
  { guardedBy: 'a count that only grows' },
);

type Named = { readonly environment: Environment; readonly reference: string };

/** `is_asked`: a worker takes it again. */
export const askToTakeAgain = statement<
  Named & { readonly actor: string },
  { readonly is_put_aside: boolean; readonly is_asked: boolean }
>(
  'bank_message_ask_again',
  sql('environment', 'reference', 'actor')`
   with asked as (
     update bank_message set again_at = coalesce(again_at, clock_timestamp()),
       again_by = coalesce(again_by, :actor)
     where environment = :environment and reference = :reference
       and message_encrypted is not null
     returning reference)
   select exists (select from asked) as is_asked,
     exists (select from bank_message where environment = :environment
       and reference = :reference and quarantine_reason is not null) as is_put_aside`,
  { guardedBy: 'a text that is kept, and again_at: asked for twice it is taken once' },
);

export type KeptMessage = {
  readonly reference: string;
  readonly message_encrypted: Buffer;
  /** Of this asking, exactly as it is stored. */
  readonly again_at: string;
  readonly again_by: string;
};

export const listToTakeAgain = statement<
  { readonly environment: Environment; readonly limit: number },
  KeptMessage
>(
  'bank_message_list_again',
  sql('environment', 'limit')`
   select reference, message_encrypted, again_at::text, again_by from bank_message
   where environment = :environment and again_at is not null
   order by again_at limit :limit`,
);

/** Whether another delivery of the same message was taken. */
export const findTaken = statement<
  Named & { readonly messageId: string | null },
  { readonly reference: string }
>(
  'bank_message_find_taken',
  sql('environment', 'reference', 'messageId')`
   select reference from bank_message
   where environment = :environment and message_id = :messageId and reference <> :reference
     and quarantine_reason is null and last_error is null limit 1`,
);

type Finished = Named & {
  readonly againAt: string;
  readonly kind: string;
  readonly messageId: string | null;
  readonly answers: string | null;
  /** Null: it was taken, and its text is no longer needed. */
  readonly quarantineReason: string | null;
};

export const finishTakingAgain = statement<Finished, never>(
  'bank_message_finish_again',
  sql('environment', 'reference', 'againAt', 'kind', 'messageId', 'answers', 'quarantineReason')`
   with taken as (
     update bank_message set again_at = null, again_by = null, kind = :kind,
       message_id = :messageId, answers = :answers, quarantine_reason = :quarantineReason::text,
       text = case when :quarantineReason::text is null then null else text end,
       message_encrypted =
         case when :quarantineReason::text is null then null else message_encrypted end
     where environment = :environment and reference = :reference
       and again_at = :againAt::timestamptz
     returning environment, reference, message_id, quarantine_reason)
   ${endLostDeliveries}`,
  { guardedBy: 'the asking that it answers: it is answered once' },
);

/** One that is to be taken again is kept until then. */
export const dropKeptMessages = statement<
  { readonly storedDays: number; readonly limit: number },
  { readonly dropped: number }
>(
  'bank_message_drop_kept',
  sql('storedDays', 'limit')`
   with old as materialized (
     select environment, reference from bank_message
     where message_encrypted is not null
       and received_at < statement_timestamp() - :storedDays * interval '1 day'
       and again_at is null
     order by received_at limit :limit for update skip locked),
   dropped as (
     update bank_message m set message_encrypted = null from old
     where m.environment = old.environment and m.reference = old.reference and m.again_at is null
     returning 1)
   select count(*)::int as dropped from dropped`,
  { guardedBy: 'deletes by age what nobody asks for; a repeat finds nothing' },
);
