-- How often each message of the bank names an equal booking without a reference: two notifications name two
-- bookings, two intraday reports may name one (PAYOUT-4).
create table booking_mention (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- of the entry_key of account_credit and account_debit
  digest text not null,
  list text not null check (list in ('STATEMENT', 'NOTIFICATION')),
  message_id text not null,
  first_ordinal int not null,
  bookings int not null check (bookings > 0),
  primary key (environment, digest, list, message_id),
  unique (environment, digest, list, first_ordinal)
);
grant select, insert on booking_mention to florin_system
