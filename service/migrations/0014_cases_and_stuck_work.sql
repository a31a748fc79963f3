-- What only a person can settle. A case without a merchant is about the whole installation.
create table operator_case (
  case_id uuid primary key default gen_random_uuid(),
  merchant_id uuid references merchant,
  environment text check (environment in ('SANDBOX', 'PRODUCTION')),
  kind text not null check (kind in (
    'PAYMENT_PENDING_LONG', 'PAYMENT_BLOCKED', 'LATE_REFUND_REFUSED', 'PROCESSOR_CONTRADICTION',
    'AMOUNT_DIFFERS', 'DISPUTE_OPENED', 'DISPUTE_LOST', 'DELIVERIES_ENDED',
    'ROWS_IN_DEFAULT_PARTITION', 'BOOKS_UNBALANCED', 'REFUND_OVERDUE', 'BANK_MESSAGE_QUARANTINED',
    'REFUND_ACCOUNT_NEEDED', 'CREDIT_UNMATCHED', 'BANK_HOLIDAYS_END', 'BOOKS_BROKEN',
    'CARD_ACCOUNT_KEYS_MISSING', 'BOOKS_NOT_VERIFIED', 'REFUND_HELD', 'ACCOUNT_NEGATIVE',
    'STORE_ACCOUNT_NEEDED', 'TRANSFER_CONTRADICTION', 'BANK_BALANCE_DIFFERS',
    'PAYOUT_OVERDUE', 'PAYOUT_PARTLY_PAID', 'BANK_BALANCE_NOT_COMPARED', 'BANK_NOT_SUBSCRIBED',
    'DEBIT_UNEXPLAINED', 'DATA_RESTORED', 'PAYMENT_LOST_BY_RESTORE')),
  -- what the case is about: an attempt, a dispute, an endpoint, a table
  subject text not null,
  description text not null,
  evidence jsonb not null default '{}',
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED')),
  opened_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  resolution text,
  -- logged and mailed once
  reported_at timestamptz,
  leased_until timestamptz,
  report_attempts smallint not null default 0,
  report_error text,
  check ((merchant_id is null) = (environment is null)),
  check ((status = 'RESOLVED') = (resolved_at is not null and resolution is not null))
);
-- One open case for each kind and subject, however often it is noticed.
create unique index operator_case_open on operator_case (kind, subject) where status = 'OPEN';
create index operator_case_to_report on operator_case
  ((coalesce(environment, 'PRODUCTION')), opened_at) where reported_at is null;
create index operator_case_listed on operator_case (opened_at desc, case_id);
-- Found by its merchant when that is carried to another cell.
alter table operator_case replica identity full;
select protect_tenant_table('operator_case', 'select, insert');
-- The statement that settles what a case is about resolves the case.
grant update (status, resolved_at, resolution) on operator_case to florin_tenant;

create function note_case() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.kind when 'REFUND_ACCOUNT_NEEDED' then 'REFUND_WAITS' else 'DISPUTE' end,
    jsonb_build_object('case', new.kind, 'amountPence', new.evidence ->> 'amountPence',
      'paymentRequestId', new.evidence ->> 'paymentRequestId',
      'respondBy', new.evidence ->> 'respondBy'));
  return null;
end $$;
create trigger operator_case_noted after insert on operator_case for each row
  when (new.merchant_id is not null
    and new.kind in ('DISPUTE_OPENED', 'DISPUTE_LOST', 'REFUND_ACCOUNT_NEEDED'))
  execute function note_case();

create table operator_case_history (
  case_id uuid not null references operator_case,
  position smallint not null,
  merchant_id uuid,
  environment text,
  from_status text not null,
  to_status text not null,
  -- who did it, as the operator calls herself
  actor text not null,
  detail text not null,
  evidence jsonb not null default '{}',
  occurred_at timestamptz not null default clock_timestamp(),
  primary key (case_id, position)
);
alter table operator_case_history replica identity full;
-- Append-only, but for texts about persons.
create trigger operator_case_history_append_only before delete on operator_case_history
  for each row execute function refuse_change();
create trigger operator_case_history_erased_only before update on operator_case_history
  for each row when (new.detail <> 'erased'
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();
select protect_tenant_table('operator_case_history', 'insert');

-- What a job is working on, and how long it leaves alone what has failed. A row is made by the claim and
-- deleted with the work; real time, never the tenant's.
create table work_lease (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  subject_id uuid not null,
  work text not null check (work in
    ('EXPIRE', 'ABANDON', 'ALERT', 'POLL', 'CAPTURE', 'ANSWER', 'HAND_OVER', 'POLL_REFUND', 'FILL_PAYOUT',
     'CLOSE_PAYOUT', 'END_LINK', 'READ_ACCOUNTS', 'ERASE', 'ERASE_PAYMENT', 'SNAPSHOT',
     'MONEY_DAY', 'FOLD', 'NOTICE', 'ENDPOINT_MAIL', 'STATEMENT')),
  leased_until timestamptz not null,
  failures int not null default 0,
  -- why the last try failed, for the operator's page of stuck work
  last_error text,
  primary key (merchant_id, environment, subject_id, work)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index work_lease_age on work_lease (leased_until);
create index work_lease_failed on work_lease (work, leased_until) where failures > 0;
select protect_tenant_table('work_lease', 'select');

-- Jobs that fail as a whole, until they work again: what they would do for all merchants is not done.
create table failed_job (
  job text primary key,
  failures int not null default 1,
  failing_since timestamptz not null default clock_timestamp(),
  last_error text not null,
  -- since when an operator wants it tried; until a worker has heard it
  hurried_at timestamptz
);
grant select, insert, update, delete on failed_job to florin_system;
