-- Which bank account of a store took the place of which, when, and by whom.
create table store_account_change (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  change_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  old_sort_code char(6) not null,
  old_account_number char(8) not null,
  old_account_name text not null,
  sort_code char(6) not null,
  account_number char(8) not null,
  account_name text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, store_id, change_id),
  foreign key (merchant_id, environment, store_id) references store
);
create index store_account_change_newest on store_account_change
  (merchant_id, environment, store_id, changed_at desc);
select protect_tenant_table('store_account_change', 'select, insert');
