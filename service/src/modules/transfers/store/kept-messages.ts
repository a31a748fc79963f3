import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { endLostDeliveries } from './lost-deliveries.ts';

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
