-- What operators, members and programs changed, in one chain: each record holds the hash of the one before
-- (docs/decisions/0017-audit-chain.md). The hash is taken over the text of `audit_text`, which
-- `npm run audit -- verify` writes again by itself.
create table audit_record (
  position bigint primary key check (position > 0),
  at timestamptz not null,
  -- an act before it runs, or what became of it
  kind text not null check (kind in ('ACT', 'OUTCOME')),
  -- both records of one act
  record_id uuid not null,
  channel text check (channel in ('API', 'COMMAND', 'DASHBOARD')),
  actor_kind text check (actor_kind in ('OPERATOR', 'MEMBER', 'PERSON', 'SECRET')),
  -- the person, or the secret of an operator or merchant
  actor_id uuid,
  -- the name of an operator secret or a user of the operating system: people are named by their id alone
  actor text,
  address text,
  action text,
  merchant_id uuid,
  environment text check (environment in ('SANDBOX', 'PRODUCTION')),
  -- JSON as it was written, so that its text never changes
  detail text not null check (jsonb_typeof(detail::jsonb) = 'object'),
  outcome text,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  check (kind = 'OUTCOME' or num_nulls(channel, actor_kind, address, action) = 0),
  check (kind = 'ACT' or outcome is not null)
);
create unique index audit_record_of_act on audit_record (record_id, kind);
create index audit_record_acts on audit_record (position desc) where kind = 'ACT';
create index audit_record_of_merchant on audit_record (merchant_id, position desc) where kind = 'ACT';
-- The operator's list of one actor, of any kind; it serves the acts of persons as well.
create index audit_record_of_actor on audit_record (actor_id, position desc) where kind = 'ACT';
create trigger audit_record_append_only before update or delete or truncate on audit_record
  for each statement execute function refuse_change();
comment on table audit_record is 'Not replicated: the chain is of its cell.';

-- The newest record, so that its removal shows. Its lock lets one record after the other in.
create table audit_head (
  is_head boolean primary key default true check (is_head),
  position bigint not null,
  hash bytea not null check (length(hash) = 32)
) with (fillfactor = 10);
insert into audit_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Heads that were signed with a key which the database does not hold.
create table audit_seal (
  position bigint primary key references audit_record,
  sealed_at timestamptz not null,
  hash bytea not null check (length(hash) = 32),
  signature bytea not null check (length(signature) = 32)
);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change();

create function audit_field(given text) returns text language sql immutable as $$
  select coalesce(octet_length(given)::text || ':' || given, '-')
$$;

-- Every stored field with its length in bytes, `-` for none: two records never have one text.
create function audit_text(r audit_record) returns text language sql stable as $$
  select concat_ws(E'\n',
    audit_field(r.position::text),
    audit_field(to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    audit_field(r.kind), audit_field(r.record_id::text), audit_field(r.channel),
    audit_field(r.actor_kind), audit_field(r.actor_id::text), audit_field(r.actor),
    audit_field(r.address), audit_field(r.action), audit_field(r.merchant_id::text),
    audit_field(r.environment), audit_field(r.detail), audit_field(r.outcome),
    audit_field(encode(r.previous_hash, 'hex')))
$$;

-- Position, time and hash are the database's: a program that may insert cannot choose them.
create function chain_audit_record() returns trigger
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.at := date_trunc('milliseconds', clock_timestamp());
  new.position := head.position + 1;
  new.previous_hash := head.hash;
  new.hash := sha256(convert_to(audit_text(new), 'UTF8'));
  update audit_head set position = new.position, hash = new.hash;
  return new;
end $$;
create trigger audit_record_chained before insert on audit_record
  for each row execute function chain_audit_record();

grant select, insert on audit_record, audit_seal to florin_system;
grant select on audit_head to florin_system;
