-- One row is one resource of the card processor; its document is what the rules work on.
create table simulator.card_record (
  id text primary key,
  kind text not null,
  seq bigint generated always as identity unique,
  created_at timestamptz not null,
  customer_id text,
  version int not null default 1,
  clock_offset_ms bigint not null default 0,
  -- The real instant at which time alone changes this record.
  due_at timestamptz,
  document jsonb not null
);
create index card_record_by_kind on simulator.card_record (kind, seq);
create index card_record_by_customer on simulator.card_record (customer_id, kind, seq)
  where customer_id is not null;
create index card_record_due on simulator.card_record (due_at) where due_at is not null;
create index card_record_by_metadata on simulator.card_record
  using gin ((document -> 'metadata') jsonb_path_ops) where kind = 'intent';

-- The body is what was true when it happened and is sent byte by byte the same every time.
create table simulator.card_event (
  id text primary key,
  seq bigint generated always as identity unique,
  type text not null,
  created_at timestamptz not null,
  body text not null
);
create index card_event_by_type on simulator.card_event (type, seq);

create table simulator.card_delivery (
  event_id text not null references simulator.card_event (id) on delete cascade,
  endpoint_id text not null references simulator.card_record (id) on delete cascade,
  attempts int not null default 0,
  next_at timestamptz not null,
  last_status int,
  primary key (event_id, endpoint_id)
);
create index card_delivery_due on simulator.card_delivery (next_at);

-- An answer stands here from the same statement on that did the work.
create table simulator.card_key (
  key text primary key,
  parameters_hash text not null,
  status int not null,
  body text not null,
  created_at timestamptz not null
);
create index card_key_by_age on simulator.card_key (created_at);

create function simulator.demand(is_met boolean) returns void language plpgsql as $$
begin
  if not is_met then raise exception 'changed meanwhile' using errcode = '40001'; end if;
end $$;
