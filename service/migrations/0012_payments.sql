create table payment_request (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  -- a charge of a saved card has no page and never expires by time
  kind text not null default 'CHECKOUT' check (kind in ('CHECKOUT', 'CARD_CHARGE')),
  -- Through what it was made: a merchant's program, a member in the dashboard, the till or a printed code.
  -- What it emits depends on it (0046-till-links-codes.md).
  channel text not null default 'API' check (channel in ('API', 'DASHBOARD', 'TILL', 'CODE')),
  till_name text check (length(till_name) between 1 and 30),
  -- of the call that made it: its bank and its receivers of webhooks get it too
  request_id uuid,
  traceparent text check (length(traceparent) = 55),
  -- set by the till; null: the payer chooses, where the merchant takes tips
  fixed_tip_pence bigint check (fixed_tip_pence >= 0),
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
  -- [{name, quantity, amountPence}], as a payer reads them
  line_items jsonb,
  payer_note text,
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
  personal_data_erased_at timestamptz,
  primary key (merchant_id, environment, payment_request_id),
  check (status <> 'CLOSED' or kind = 'CARD_CHARGE'),
  constraint payment_request_till check ((channel = 'TILL') = (till_name is not null))
);
-- Indexes of due work begin with the environment, in every file: each is claimed by itself, so that no
-- backlog of the sandbox stands before production.
create index payment_request_due on payment_request
  (environment, expires_at) where status = 'OPEN' and live_attempt_count = 0;
-- Which bank a customer paid with last. Only paid requests stand in it, so that creating costs nothing
-- more. There is no index by time: without statistics a planner takes it for as good as the key.
create index payment_request_paid_by on payment_request
  (merchant_id, environment, merchant_customer_reference, created_at desc) where status = 'PAID';
create index payment_request_of_customer
  on payment_request (merchant_id, environment, customer_id) where customer_id is not null;
-- By age, for the retention of personal data: tiny, because rows are written in the order of time.
create index payment_request_age on payment_request using brin (created_at);
-- The newest links, sales of the till and payments of codes: few beside those of programs.
create index payment_request_channel on payment_request
  (merchant_id, environment, channel, created_at desc, payment_request_id desc)
  include (status, store_id, amount_pence) where channel <> 'API';
create index payment_request_channel_amount on payment_request
  (merchant_id, environment, channel, amount_pence, payment_request_id)
  include (status, store_id, created_at) where channel = 'DASHBOARD';
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
    ('AT_BANK', 'EXCHANGING', 'SUBMITTING', 'SUBMITTED', 'ENDED',
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
  -- by which a bank's notifications name a payment: only of banks that send any
  bank_payment_reference text,
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
  -- authorise_by and capture_at are real instants, derived from the business ones
  authorise_by_business timestamptz not null,
  authorise_by timestamptz not null,
  leased_until timestamptz,
  submitted_at timestamptz,
  operator_alerted_at timestamptz,
  -- the account at the card processor that it was made with
  account_key text,
  -- our saved card: the wire's paymentMethodId
  card_id uuid,
  capture_type text
    check (capture_type in ('AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY')),
  initiator text check (initiator in ('MERCHANT', 'CUSTOMER')),
  -- brand, funding, last four digits, expiry, country, category: never a number
  card_facts jsonb,
  authentication jsonb,
  -- why the last card tried on an open page was refused: code and sentence
  last_decline jsonb,
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
  -- what customers' banks took back of a card payment, or tried to: reference, status, amount, reason,
  -- and until when it can be answered
  disputes jsonb,
  -- what was refunded in the processor's own dashboard: our id, amount, time
  refunds jsonb,
  -- Changed by refunds only. Whatever races, no more is promised than was paid (MONEY-12).
  refunded_pence bigint not null default 0 check (refunded_pence >= 0),
  refund_reserved_pence bigint not null default 0 check (refund_reserved_pence >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, attempt_id),
  unique (merchant_id, environment, payment_idempotency_id),
  foreign key (merchant_id, environment, payment_request_id) references payment_request,
  check ((method = 'CARD') = (capture_type is not null and initiator is not null)),
  check (capture_at is null or status = 'AUTHORIZED'),
  constraint attempt_card_account check ((method = 'CARD') = (account_key is not null)),
  constraint attempt_refunds_within_payment
    check (refunded_pence + refund_reserved_pence <= amount_pence + tip_pence)
) with (fillfactor = 80);
create unique index attempt_of_request on attempt
  (merchant_id, environment, payment_request_id, position);
-- At most one attempt of a request (of a share) that has money or may get it, across banks and cards.
create unique index attempt_one_pending_or_paid on attempt
  (merchant_id, environment, payment_request_id, share_id)
  where status in ('PENDING', 'AUTHORIZED', 'COMPLETED');
-- Disputed card payments alone, as a member lists them.
create index attempt_disputed on attempt (merchant_id, environment, created_at, attempt_id)
  where disputes is not null;
create function contested_pence(disputes jsonb) returns bigint language sql immutable
return (select sum((d->>'amountPence')::bigint) from jsonb_array_elements(disputes) d);
create index attempt_disputed_by_amount on attempt
  (merchant_id, environment, contested_pence(disputes), attempt_id) where disputes is not null;
create index attempt_authorise_by on attempt
  (environment, authorise_by) where status = 'AWAITING_AUTHORIZATION';
create index attempt_capture on attempt (environment, capture_at) where capture_at is not null;
-- Steps that a program of ours is working on, under a lease: late when the lease is over.
create index attempt_in_progress on attempt (leased_until)
  where step = 'EXCHANGING';
-- The operator is alerted once to money that a bank has blocked, also when a worker is killed.
create index attempt_to_alert on attempt
  (environment, updated_at) where ended_reason = 'BLOCKED' and operator_alerted_at is null;
-- A processor's event names our attempt, or its own payment, and no merchant. That an attempt
-- stands once is its key's.
create index attempt_named_by_processor on attempt (attempt_id) where method = 'CARD';
create index attempt_of_card_payment on attempt (rail_reference)
  where method = 'CARD' and rail_reference is not null;
-- A credit of the collecting account without an end-to-end id is matched by amount and
-- name.
create index attempt_by_credit on attempt
  (environment, (amount_pence + tip_pence), submitted_at)
  where settles_to = 'COLLECTING_ACCOUNT' and status in ('PENDING', 'COMPLETED');
-- It finds the payment that a bank's notification names, and what a member looks for.
create index attempt_by_bank_payment on attempt
  (environment, bank_payment_reference, institution_id) where bank_payment_reference is not null;
select protect_tenant_table('attempt', 'select, insert, update');

-- When an attempt is polled next. Narrow, because each poll writes it: a poll that learns nothing changes no
-- indexed column unless the next one is more than a minute away (see `watch_from`).
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
  -- when a notification of the bank last made a poll due, so that no bank is called as often as it likes
  hinted_at timestamptz,
  primary key (merchant_id, environment, attempt_id),
  check (watch_from <= poll_at)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index attempt_poll_watch on attempt_poll (method, environment, watch_from);
select protect_tenant_table('attempt_poll', 'select, insert, update, delete');

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
create table payment_history_default partition of payment_history default;
-- Append-only, but for texts about persons: a detail may be taken away, nothing else.
create trigger payment_history_append_only before delete on payment_history
  for each row execute function refuse_change();
create trigger payment_history_erased_only before update on payment_history
  for each row when (new.detail is not null
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();
select protect_tenant_table('payment_history', 'select, insert');
select ensure_partitions('payment_history', 3);

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

-- Codes that a merchant prints: each scan begins a payment of its own. Its token is on paper: who scans
-- it knows it, and it opens nothing but the form.
create table payment_code (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  code_id uuid not null,
  token text not null check (token ~ '^[0-9a-z]{20,40}$'),
  store_id uuid not null,
  label text not null check (length(label) between 1 and 30),
  -- fixed; null: the payer enters it, between the other two
  amount_pence bigint check (amount_pence >= 100),
  min_pence bigint check (min_pence >= 100),
  max_pence bigint check (max_pence >= min_pence),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  made_by uuid not null,
  -- The payments that began at it within the last minute: which, and when in milliseconds of the tenant's
  -- time. In the row itself, so that those that begin at once count each other (CODE-2).
  recent_payments jsonb not null default '{}' check (jsonb_typeof(recent_payments) = 'object'),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, code_id),
  check ((amount_pence is null) = (min_pence is not null and max_pence is not null))
);
create index payment_code_newest on payment_code
  (merchant_id, environment, created_at desc, code_id desc);
select protect_tenant_table('payment_code', 'select, insert, update');

-- That the page of a payment request was opened, for the funnel. Written in batches beside the pages; a
-- killed program loses those of a second.
create table page_opening (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  opened_at timestamptz not null,
  primary key (merchant_id, environment, payment_request_id)
);
create index page_opening_newest on page_opening (merchant_id, environment, opened_at);
select protect_tenant_table('page_opening', 'select');

-- What a member answers to a dispute: evidence, or that it is lost. The processor takes one answer.
create table dispute_answer (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  answer_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  dispute_reference text not null,
  status text not null
    check (status in ('DRAFT', 'SUBMITTING', 'SUBMITTED', 'ACCEPTING', 'ACCEPTED')),
  version int not null default 1,
  -- texts by field
  evidence jsonb not null,
  -- by kind: the id at the processor, name and size. The bytes are there alone.
  files jsonb not null,
  refusal text,
  sent_by uuid,
  sent_by_name text,
  sent_at timestamptz,
  -- when it was sent: the bank only asked, and how often the processor had evidence already
  answers_inquiry boolean not null default false,
  submissions_before int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- real time, for the job
  due_at timestamptz,
  primary key (merchant_id, environment, answer_id),
  unique (merchant_id, environment, dispute_reference),
  foreign key (merchant_id, environment, attempt_id) references attempt,
  check ((due_at is not null) = (status in ('SUBMITTING', 'ACCEPTING')))
);
create index dispute_answer_of_payment on dispute_answer
  (merchant_id, environment, payment_request_id);
create index dispute_answer_of_attempt on dispute_answer (merchant_id, environment, attempt_id);
create index dispute_answer_due on dispute_answer (environment, due_at) where due_at is not null;
select protect_tenant_table('dispute_answer', 'select, insert, update');

create table dispute_answer_history (
  merchant_id uuid not null,
  environment text not null,
  answer_id uuid not null,
  version int not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  -- null: the card processor
  person_id uuid,
  person_name text,
  detail text,
  -- what was sent; null where nothing was
  evidence jsonb,
  files jsonb,
  occurred_at timestamptz not null,
  primary key (merchant_id, environment, answer_id, version),
  foreign key (merchant_id, environment, answer_id) references dispute_answer
);
select protect_tenant_table('dispute_answer_history', 'select, insert');
