-- Filters of a page that a person has saved under a name.
create table saved_view (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  person_id uuid not null references person on delete cascade,
  page text not null,
  name text not null check (length(name) between 1 and 50),
  view_id uuid not null,
  query text not null check (length(query) <= 1000),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, person_id, page, name)
);
create unique index saved_view_id on saved_view (merchant_id, environment, person_id, view_id);
create index saved_view_of_person on saved_view (person_id);
select protect_tenant_table('saved_view', 'select, insert, update, delete');

-- The refunds of a merchant, the newest first.
create index refund_newest on refund (merchant_id, environment, created_at desc, refund_id desc);
