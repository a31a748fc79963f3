-- Above it a member refunds no payment alone; null: members refund without a second person.
alter table merchant_switch add column refund_approval_above_pence bigint
  check (refund_approval_above_pence >= 0);

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
