import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Report = {
  readonly environment: string;
  readonly sortCode: string | null;
  readonly accountNumber: string;
};

/** Whether the report is about the collecting account at all. */
export const isCollectingAccount = statement<Report, { readonly is_known: boolean }>(
  'credit_is_collecting_account',
  sql('environment', 'sortCode', 'accountNumber')`
   select exists (select from collecting_account where environment = :environment
     and account_number = :accountNumber
     and (:sortCode::text is null or sort_code = :sortCode::text)) as is_known`,
);

/** Both at once: a debit that is seen without the credits of its report would take back another one. */
export const insertEntries = statement<
  { readonly environment: string; readonly credits: string; readonly debits: string },
  { readonly credit_id: string }
>(
  'credit_insert',
  sql('environment', 'credits', 'debits')`
   with debit as (
     insert into account_debit (environment, entry_key, end_to_end_id, amount_pence, bank_reference,
       booked_on)
     select :environment, d.entry_key, d.end_to_end_id, d.amount_pence, d.bank_reference, d.booked_on
     from jsonb_to_recordset(:debits::jsonb) as d (entry_key text, end_to_end_id text,
       amount_pence bigint, bank_reference text, booked_on date)
     on conflict (environment, entry_key) do nothing)
   insert into account_credit (environment, entry_key, amount_pence, bank_reference, booked_on,
     end_to_end_id, known_as, payer_name, remittance, is_returned)
   select :environment, c.entry_key, c.amount_pence, c.bank_reference, c.booked_on,
     c.end_to_end_id, c.end_to_end_id, c.payer_name, c.remittance, c.is_returned
   from jsonb_to_recordset(:credits::jsonb) as c (entry_key text, amount_pence bigint,
     bank_reference text, booked_on date, end_to_end_id text, payer_name text, remittance text,
     is_returned boolean)
   on conflict (environment, entry_key) do nothing
   returning credit_id`,
  { guardedBy: 'both keys are unique: an entry that is listed again adds nothing' },
);

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
