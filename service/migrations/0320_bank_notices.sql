-- How many notices the bank of the collecting account has sent, and how many of them were followed by
-- reading its messages. A row for each environment; it belongs to no merchant.
create table bank_notice (
  environment text primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  noticed bigint not null,
  followed bigint not null default 0 check (followed <= noticed),
  -- of the first notice that was not followed yet
  noticed_at timestamptz not null
);
create index bank_notice_due on bank_notice (noticed_at) where noticed > followed;
grant select, insert, update on bank_notice to florin_system;
