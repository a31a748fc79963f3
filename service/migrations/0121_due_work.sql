-- What a job is working on, and how long it leaves alone what has failed. A row is made by the claim and
-- deleted with the work; real time, never the tenant's.
create table work_lease (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  subject_id uuid not null,
  work text not null check (work in ('EXPIRE', 'ABANDON', 'ALERT', 'POLL', 'CAPTURE')),
  leased_until timestamptz not null,
  failures int not null default 0,
  primary key (merchant_id, environment, subject_id, work)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index work_lease_age on work_lease (leased_until);
select protect_tenant_table('work_lease', 'select');

-- When an attempt is polled next. Narrow, because each poll writes it: a poll that learns nothing changes no
-- indexed column unless the next one is more than a minute away (see `watch_from`).
drop index attempt_poll;
create table attempt_poll (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  payment_request_id uuid not null,
  method text not null check (method in ('PAY_BY_BANK', 'CARD')),
  institution_id text not null,
  poll_count int not null default 0,
  -- the tenant's own time is the truth; poll_at is the real instant derived from it
  poll_business_at timestamptz not null,
  poll_at timestamptz not null,
  -- never after poll_at: from then on the row is looked at
  watch_from timestamptz not null,
  leased_until timestamptz,
  primary key (merchant_id, environment, attempt_id),
  check (watch_from <= poll_at)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index attempt_poll_watch on attempt_poll (method, watch_from);
select protect_tenant_table('attempt_poll', 'select, insert, update, delete');

insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
  institution_id, poll_count, poll_business_at, poll_at, watch_from, leased_until)
select merchant_id, environment, attempt_id, payment_request_id, method, institution_id, poll_count,
  poll_business_at, poll_at, poll_at, leased_until
from attempt where poll_at is not null;
alter table attempt drop column poll_business_at, drop column poll_at, drop column poll_count;
