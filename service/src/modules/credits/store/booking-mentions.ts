import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Behind how many equal bookings of earlier messages of its kind those of this one stand. */
export const mentionBookings = statement<
  {
    readonly environment: string;
    readonly list: string;
    readonly messageId: string;
    readonly mentions: string;
  },
  { readonly digest: string; readonly first_ordinal: number }
>(
  'booking_mention',
  sql('environment', 'list', 'messageId', 'mentions')`
   with said as (
     select digest, bookings from jsonb_to_recordset(:mentions::jsonb) as s (digest text, bookings int)),
   known as (
     select m.digest, m.first_ordinal from booking_mention m join said using (digest)
     where m.environment = :environment and m.list = :list and m.message_id = :messageId),
   added as (
     insert into booking_mention (environment, digest, list, message_id, first_ordinal, bookings)
     select :environment, s.digest, :list, :messageId,
       (select coalesce(sum(m.bookings), 0)::int from booking_mention m
         where m.environment = :environment and m.digest = s.digest and m.list = :list), s.bookings
     from said s where not exists (select from known k where k.digest = s.digest)
     on conflict (environment, digest, list, message_id) do nothing
     returning digest, first_ordinal)
   select digest, first_ordinal from known union all select digest, first_ordinal from added`,
  {
    guardedBy:
      'primary key and unique first_ordinal: a message keeps its place, and no other has it',
  },
);
