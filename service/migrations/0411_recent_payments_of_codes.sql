-- The payments that began at a printed code within the last minute: which, and when in milliseconds of the
-- tenant's time. In the row itself, so that those that begin at once count each other (CODE-2).
alter table payment_code
  add column recent_payments jsonb not null default '{}'
    check (jsonb_typeof(recent_payments) = 'object');
