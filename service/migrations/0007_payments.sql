create table payment_request (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  -- a charge of a saved card has no page and never expires by time
  kind text not null default 'CHECKOUT' check (kind in ('CHECKOUT', 'CARD_CHARGE')),
  status text not null default 'OPEN'
    check (status in ('OPEN', 'PAID', 'EXPIRED', 'CANCELLED', 'CLOSED')),
  -- of the request with its attempts: every change of either raises it
  version int not null default 1,
  merchant_customer_reference text not null,
  order_id text not null,
  amount_pence bigint not null check (amount_pence >= 100),
  -- by the merchant's percentages when the payment was requested
  tax_percentage numeric(5, 2) not null default 0,
  service_percentage numeric(5, 2) not null default 0,
  tax_pence bigint not null default 0 check (tax_pence >= 0),
  service_pence bigint not null default 0 check (service_pence >= 0),
  paid_pence bigint not null default 0 check (paid_pence >= 0),
  -- paid, or reserved for payers at their bank: in no race more than the amount
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
  primary key (merchant_id, environment, payment_request_id),
  check (status <> 'CLOSED' or kind = 'CARD_CHARGE')
);
create index payment_request_due on payment_request (expires_at)
  where status = 'OPEN' and live_attempt_count = 0;
-- Which bank a customer paid with last. Only paid requests stand in it, so that creating costs nothing
-- more. There is no index by time: without statistics a planner takes it for as good as the key.
create index payment_request_paid_by on payment_request
  (merchant_id, environment, merchant_customer_reference, created_at desc) where status = 'PAID';
select protect_tenant_table('payment_request', 'select, insert, update');

create table attempt (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  payment_request_id uuid not null,
  -- 1, 2, …: the order that times of the same millisecond cannot give
  position int not null,
  payment_idempotency_id text not null check (length(payment_idempotency_id) <= 31),
  method text not null check (method in ('PAY_BY_BANK', 'CARD')),
  status text not null check (status in
    ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- how far the work with the rail has come; the status is what the merchant sees
  step text not null check (step in
    ('CREATING_CONSENT', 'AT_BANK', 'EXCHANGING', 'SUBMITTING', 'SUBMITTED', 'ENDED',
     'OPENING_PAGE', 'AT_PROCESSOR', 'CHARGING', 'STEP_UP', 'AUTHORISED', 'CAPTURING', 'CANCELLING',
     'PAID_TOO_LATE', 'REFUNDING_LATE')),
  institution_id text not null,
  -- equal for all attempts of a request that is not split; in a split bill the attempt's own id
  share_id uuid not null default '00000000-0000-0000-0000-000000000000',
  amount_pence bigint not null check (amount_pence > 0),
  tip_pence bigint not null default 0 check (tip_pence >= 0),
  -- from its completion on
  tax_pence bigint check (tax_pence >= 0),
  service_pence bigint check (service_pence >= 0),
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
  -- the payer's name alone is in clear, to be shown and found; the account stays encrypted
  consumer_name text,
  application_user_id uuid,
  payment_device jsonb,
  -- authorise_by, poll_at and capture_at are real instants, derived from the business ones
  authorise_by_business timestamptz not null,
  authorise_by timestamptz not null,
  poll_business_at timestamptz,
  poll_at timestamptz,
  poll_count int not null default 0,
  leased_until timestamptz,
  submitted_at timestamptz,
  operator_alerted_at timestamptz,
  -- our saved card: the wire's paymentMethodId
  card_id uuid,
  capture_type text
    check (capture_type in ('AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY')),
  initiator text check (initiator in ('MERCHANT', 'CUSTOMER')),
  -- brand, funding, last four digits, expiry, country, category: never a number
  card_facts jsonb,
  authentication jsonb,
  authorisation_expires_business_at timestamptz,
  authorisation_expiry_source text
    check (authorisation_expiry_source in ('PROCESSOR', 'TABLE')),
  capture_business_at timestamptz,
  capture_at timestamptz,
  cancelled_reason_code text,
  cancelled_reason_description text,
  -- the Idempotency-Key of a capture or cancellation: it later answers what became of it, also after a
  -- reply with an unknown outcome
  intent_key text,
  -- what customers' banks took back of a card payment, or tried to: reference, status, amount, reason
  disputes jsonb,
  -- what was refunded in the processor's own dashboard: our id, amount, time
  refunds jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, attempt_id),
  unique (merchant_id, environment, payment_idempotency_id),
  foreign key (merchant_id, environment, payment_request_id) references payment_request,
  check ((method = 'CARD') = (capture_type is not null and initiator is not null)),
  check (capture_at is null or status = 'AUTHORIZED')
) with (fillfactor = 80);
create unique index attempt_of_request on attempt
  (merchant_id, environment, payment_request_id, position);
-- At most one attempt of a request (of a share) that has money or may get it, across banks and cards.
create unique index attempt_one_submitted on attempt
  (merchant_id, environment, payment_request_id, share_id)
  where status in ('PENDING', 'AUTHORIZED', 'COMPLETED');
create index attempt_authorise_by on attempt (authorise_by) where status = 'AWAITING_AUTHORIZATION';
create index attempt_poll on attempt (poll_at) where poll_at is not null;
create index attempt_capture on attempt (capture_at) where capture_at is not null;
-- Steps that a program of ours is working on, under a lease: late when the lease is over.
create index attempt_in_progress on attempt (leased_until)
  where step in ('CREATING_CONSENT', 'EXCHANGING');
-- The operator is alerted once to money that a bank has blocked, also when a worker is killed.
create index attempt_to_alert on attempt (updated_at)
  where ended_reason = 'BLOCKED' and operator_alerted_at is null;
-- A processor's event names our attempt, or its own payment, and no merchant.
create unique index attempt_of_card on attempt (attempt_id) where method = 'CARD';
create index attempt_of_card_payment on attempt (rail_reference)
  where method = 'CARD' and rail_reference is not null;
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
create table payment_history_default partition of payment_history default;
create trigger payment_history_append_only before update or delete on payment_history
  for each row execute function refuse_change();
select protect_tenant_table('payment_history', 'select, insert');

-- The order guard: a second charge of the same customer for the same order and amount within a while
-- must be confirmed. One row per order, so that of two concurrent charges one waits and sees the other.
create table card_charge_guard (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  order_id text not null,
  amount_pence bigint not null,
  payment_request_id uuid not null,
  charged_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, customer_id, order_id, amount_pence)
);
create index card_charge_guard_age on card_charge_guard (written_at);
select protect_tenant_table('card_charge_guard', 'select, insert, update, delete');
