-- A customer who was deleted: what payments still say about the person is erased by a job, as soon as
-- no payment is under way.
create table erasure (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  done_at timestamptz,
  primary key (merchant_id, environment, customer_id)
);
create index erasure_due on erasure (due_at) where done_at is null;
select protect_tenant_table('erasure', 'select, insert');

alter table payment_request add column personal_data_erased_at timestamptz;

-- Histories are append-only, but for texts about persons: a detail may be taken away, nothing else.
drop trigger payment_history_append_only on payment_history;
create trigger payment_history_append_only before delete on payment_history
  for each row execute function refuse_change();
create trigger payment_history_erased_only before update on payment_history
  for each row when (new.detail is not null
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();

drop trigger refund_history_append_only on refund_history;
create trigger refund_history_append_only before delete on refund_history
  for each row execute function refuse_change();
create trigger refund_history_erased_only before update on refund_history
  for each row when (new.detail is not null
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();

drop trigger operator_case_history_append_only on operator_case_history;
create trigger operator_case_history_append_only before delete on operator_case_history
  for each row execute function refuse_change();
create trigger operator_case_history_erased_only before update on operator_case_history
  for each row when (new.detail <> 'erased'
    or to_jsonb(new) - 'detail' is distinct from to_jsonb(old) - 'detail')
  execute function refuse_change();
