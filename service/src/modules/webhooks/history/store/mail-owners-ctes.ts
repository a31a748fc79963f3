import { sql } from '#platform/database/sql.ts';

/**
 * Queues a mail to the merchant's address and to each owner who signs in, as part of a statement with a
 * row of `mail` (key, text) if there is anything to say. Sent once, however often it is queued.
 */
export const mailOwnersCtes = sql('merchantId', 'environment', 'mailKind', 'mailSubject')`
   mailed_owner as (
     select lower(m.owner_email) as address from merchant m
     where m.merchant_id = :merchantId and m.owner_email is not null
     union select p.email from membership w join person p on p.person_id = w.person_id
     where w.merchant_id = :merchantId and w.role = 'owner'),
   queued_mail as (
     insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
       created_at)
     select :merchantId, :environment, :mailKind, concat_ws(':', :mailKind::text, mail.key, o.address),
       o.address, :mailSubject, mail.text, clock_timestamp()
     from mail, mailed_owner o
     on conflict (merchant_id, environment, dedupe_key) do nothing)`;
