create table payment_request (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'PAID', 'EXPIRED', 'CANCELLED')),
  -- of the request with its attempts: every change of either raises it
  version int not null default 1,
  merchant_customer_reference text not null,
  order_id text not null,
  amount_pence bigint not null check (amount_pence >= 100),
  paid_pence bigint not null default 0 check (paid_pence >= 0),
  -- paid, or held for payers at their bank: however they race, never more than was asked for
  committed_pence bigint not null default 0 check (committed_pence between 0 and amount_pence),
  store_id uuid not null,
  customer_id uuid,
  secret_id uuid not null,
  payment_methods text[],
  saves_payment_method boolean not null default false,
  auto_redirects boolean not null default false,
  institution_id text,
  consumer_details jsonb,
  callback_params jsonb not null default '{}',
  notes text,
  tips_enabled boolean not null default true,
  retry_allowed boolean not null default true,
  redirect_url text,
  splits_bill boolean not null default false,
  template text check (template in ('EXTERNAL_DISPLAY', 'EXTERNAL_DISPLAY_PNG', 'RECEIPT', 'RECEIPT_PNG')),
  payment_type text,
  strict_expiry boolean not null default false,
  expires_in_ms bigint not null check (expires_in_ms between 1 and 34560000000),
  time_extensions smallint not null default 0 check (time_extensions between 0 and 10),
  -- the tenant's own time is the truth; expires_at is the real instant derived from it
  expires_business_at timestamptz not null,
  expires_at timestamptz not null,
  live_attempt_count int not null default 0 check (live_attempt_count >= 0),
  event_sequence int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, payment_request_id)
);
create index payment_request_due on payment_request (expires_at)
  where status = 'OPEN' and live_attempt_count = 0;
create index payment_request_newest on payment_request
  (merchant_id, environment, created_at desc, payment_request_id);
select protect_tenant_table('payment_request', 'select, insert, update');

create table attempt (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  payment_request_id uuid not null,
  -- first, second … try of the request: the order that times of the same millisecond cannot give
  position int not null,
  payment_idempotency_id text not null check (length(payment_idempotency_id) <= 31),
  method text not null check (method in ('PAY_BY_BANK', 'CARD')),
  status text not null check (status in
    ('AWAITING_AUTHORIZATION', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- how far the talk with the rail has come; the status is what the merchant is told
  step text not null check (step in
    ('CREATING_CONSENT', 'AT_BANK', 'EXCHANGING', 'SUBMITTING', 'SUBMITTED', 'ENDED')),
  institution_id text not null,
  -- equal for all attempts of a request that is not split; in a split bill the attempt's own id
  share_id uuid not null default '00000000-0000-0000-0000-000000000000',
  amount_pence bigint not null check (amount_pence > 0),
  tip_pence bigint not null default 0 check (tip_pence >= 0),
  creditor jsonb not null,
  settles_to text not null check (settles_to in ('COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'PROCESSOR')),
  rail_state_encrypted bytea,
  rail_reference text,
  -- our interaction id at the bank, or the card network's id
  tracing_id text,
  oauth_state text,
  iso_status_code text,
  iso_status_name text,
  iso_status_at timestamptz,
  is_settled boolean not null default false,
  error_code text,
  error_description text,
  ended_reason text,
  payer_encrypted bytea,
  application_user_id uuid,
  payment_device jsonb,
  -- real instants: authorise_by and poll_at are derived from the business ones
  authorise_by_business timestamptz not null,
  authorise_by timestamptz not null,
  poll_business_at timestamptz,
  poll_at timestamptz,
  polls int not null default 0,
  leased_until timestamptz,
  submitted_at timestamptz,
  operator_told_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, attempt_id),
  unique (merchant_id, environment, payment_idempotency_id),
  foreign key (merchant_id, environment, payment_request_id) references payment_request
) with (fillfactor = 80);
create unique index attempt_of_request on attempt
  (merchant_id, environment, payment_request_id, position);
-- At most one submitted attempt per request (per reserved share), across banks and cards.
create unique index attempt_one_submitted on attempt (merchant_id, environment, payment_request_id, share_id)
  where status in ('PENDING', 'COMPLETED');
create index attempt_authorise_by on attempt (authorise_by) where status = 'AWAITING_AUTHORIZATION';
create index attempt_poll on attempt (poll_at) where poll_at is not null;
select protect_tenant_table('attempt', 'select, insert, update');

create table payment_history (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  version int not null,
  position smallint not null,
  subject text not null check (subject in ('REQUEST', 'ATTEMPT')),
  subject_id uuid not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, payment_request_id, version, position, written_at)
) partition by range (written_at);
select ensure_month_partitions('payment_history', 2);
create table payment_history_otherwise partition of payment_history default;
create trigger payment_history_append_only before update or delete on payment_history
  for each row execute function refuse_change();
select protect_tenant_table('payment_history', 'select, insert');
