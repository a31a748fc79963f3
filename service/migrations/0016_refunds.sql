create table refund (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  refund_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  payment_idempotency_id text not null,
  order_id text not null,
  store_id uuid not null,
  secret_id uuid not null,
  method text not null check (method in ('PAY_BY_BANK', 'CARD')),
  status text not null
    check (status in ('INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- until it is handed over it can be cancelled
  step text not null check (step in ('WAITING', 'HANDED_OVER', 'ENDED')),
  waits_for text check (waits_for in (
    'BALANCE', 'SETTLEMENT', 'REFUND_ACCOUNT_NEEDED', 'OPERATOR')),
  version int not null default 1,
  amount_pence bigint not null check (amount_pence >= 100),
  paid_pence bigint not null,
  notes text,
  -- of the call that asked for it, by which it is found again (WIRE-23)
  request_id uuid,
  traceparent text check (length(traceparent) = 55),
  -- entered where the bank did not say who had paid
  account_encrypted bytea,
  end_to_end_id text,
  rail_state_encrypted bytea,
  rail_reference text,
  error_code text,
  error_description text,
  event_sequence int not null default 0,
  poll_count int not null default 0,
  -- the tenant's own time is the truth; due_at is the real instant derived from it
  due_business_at timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  handed_over_at timestamptz,
  operator_alerted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, refund_id),
  foreign key (merchant_id, environment, attempt_id) references attempt,
  check ((step = 'ENDED') = (status in ('COMPLETED', 'FAILED', 'CANCELLED')))
) with (fillfactor = 80);
create index refund_of_payment on refund
  (merchant_id, environment, payment_request_id, created_at, refund_id);
create index refund_due on refund (environment, due_at) where due_at is not null;
create index refund_of_merchant_open on refund (merchant_id, environment, status)
  where status in ('INITIATED', 'PENDING');
create index refund_of_card on refund (refund_id) where method = 'CARD';
-- The refunds of a merchant, by time and by amount; what they add up to is read from the index alone.
create index refund_newest on refund (merchant_id, environment, created_at desc, refund_id desc)
  include (status, store_id, amount_pence);
create index refund_by_amount on refund (merchant_id, environment, amount_pence, refund_id)
  include (status, store_id, created_at);
select protect_tenant_table('refund', 'select, insert, update');

create table refund_history (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  refund_id uuid not null,
  version int not null,
  position smallint not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, refund_id, version, position)
);
-- Append-only, but for texts about persons.
create trigger refund_history_append_only before delete on refund_history
  for each row execute function refuse_change();
create trigger refund_history_erased_only before update on refund_history
  for each row when (new.detail is not null
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();
select protect_tenant_table('refund_history', 'select, insert');

create function disputed_pence(disputes jsonb) returns bigint language sql immutable
return coalesce((select sum((d->>'amountPence')::bigint) from jsonb_array_elements(disputes) d
  where d->>'status' <> 'WON'), 0);

-- Refunds that a merchant made in the processor's own dashboard count as refunded too (MONEY-12), unless
-- they failed later (REFUND-9).
create function refunded_at_processor_pence(refunds jsonb) returns bigint
language sql immutable
return coalesce((select sum((r->>'amountPence')::bigint) from jsonb_array_elements(refunds) r
  where r->>'failedAt' is null), 0);

-- What became of an attempt: search finds, sorts and adds up by it. A dispute says more than
-- a refund.
create function attempt_outcome(status text, paid bigint, gone_back bigint, disputes jsonb)
returns text language sql immutable
return case when status <> 'COMPLETED' then status
  when disputes @> '[{"status": "OPEN"}]' then 'DISPUTED'
  when disputes @> '[{"status": "LOST"}]' then 'DISPUTE_LOST'
  when gone_back <= 0 then status
  when gone_back < paid then 'PART_REFUNDED'
  else 'REFUNDED' end;

-- The statement that changes an attempt's status writes and counts it for search; what a refund or a dispute
-- makes of it is written and counted here, whoever changes it.
create function note_attempt_outcome() returns trigger language plpgsql as $$
declare
  before text := attempt_outcome(old.status, old.amount_pence + old.tip_pence,
    old.refunded_pence + old.refund_reserved_pence + refunded_at_processor_pence(old.refunds),
    old.disputes);
  after text := attempt_outcome(new.status, new.amount_pence + new.tip_pence,
    new.refunded_pence + new.refund_reserved_pence + refunded_at_processor_pence(new.refunds),
    new.disputes);
begin
  insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
    amount_pence)
  select i.merchant_id, i.environment, london_day(i.created_at), i.store_id, i.method, c.status,
    sum(c.items), sum(c.items * i.total_pence)
  from transaction_item i, lateral (values (old.status, 1), (before, -1), (new.status, -1), (after, 1))
    as c (status, items)
  where i.merchant_id = new.merchant_id and i.environment = new.environment
    and i.payment_request_id = new.payment_request_id and i.position = new.position
  group by 1, 2, 3, 4, 5, 6 having sum(c.items) <> 0;
  update transaction_item i set status = after
  where i.merchant_id = new.merchant_id and i.environment = new.environment
    and i.payment_request_id = new.payment_request_id and i.position = new.position
    and i.status <> after;
  return null;
end $$;
create trigger attempt_outcome_noted after update on attempt for each row
  when (new.disputes is not null or new.refunds is not null
    or old.refunded_pence + old.refund_reserved_pence + new.refunded_pence + new.refund_reserved_pence > 0)
  execute function note_attempt_outcome();

-- Refunds that a member has proposed and another decides about.
create table refund_approval (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  approval_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  payment_idempotency_id text not null,
  order_id text not null,
  amount_pence bigint not null check (amount_pence >= 100),
  notes text,
  status text not null
    check (status in ('WAITING', 'REFUNDED', 'DECLINED', 'WITHDRAWN', 'REFUSED')),
  version int not null default 1,
  proposed_by uuid not null,
  proposed_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  reason text,
  refund_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, approval_id),
  foreign key (merchant_id, environment, attempt_id) references attempt,
  check ((status = 'REFUNDED') = (refund_id is not null)),
  check ((status = 'WAITING') = (decided_by is null)),
  -- the second person is another one
  check (status = 'WITHDRAWN' or decided_by is null or decided_by <> proposed_by)
);
create index refund_approval_newest on refund_approval
  (merchant_id, environment, created_at desc, approval_id desc);
create index refund_approval_of_payment on refund_approval
  (merchant_id, environment, payment_request_id, created_at desc, approval_id desc);
create index refund_approval_waiting on refund_approval
  (merchant_id, environment, created_at desc, approval_id desc) where status = 'WAITING';
create index refund_approval_of_attempt on refund_approval (merchant_id, environment, attempt_id);
select protect_tenant_table('refund_approval', 'select, insert, update');

-- A proposed refund is a notice to the members who may approve it.
create function note_proposed_refund() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'REFUND_PROPOSED',
    jsonb_build_object('amountPence', new.amount_pence::text, 'by', new.proposed_by_name,
      'paymentRequestId', new.payment_request_id));
  return null;
end $$;
create trigger refund_approval_noted after insert on refund_approval for each row
  when (new.status = 'WAITING') execute function note_proposed_refund();

create table refund_approval_history (
  merchant_id uuid not null,
  environment text not null,
  approval_id uuid not null,
  version int not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  person_id uuid not null,
  person_name text not null,
  detail text,
  occurred_at timestamptz not null,
  primary key (merchant_id, environment, approval_id, version),
  foreign key (merchant_id, environment, approval_id) references refund_approval
);
select protect_tenant_table('refund_approval_history', 'select, insert');
