-- Events, ledger entries and the cursors over them are in the order of transaction numbers. A new cluster
-- counts from the beginning, so a restored dump would put new rows before old ones. Each cluster that the
-- data lives in is an epoch: its numbers are raised above all earlier ones. Only these two functions read
-- transaction numbers; they are made anew for each epoch, so that a write looks nothing up.
create table cluster_epoch (
  epoch int primary key,
  system_identifier bigint not null,
  raised_by bigint not null,
  began_at timestamptz not null default clock_timestamp()
);
grant select on cluster_epoch to florin_system;
grant select on migration to florin_system;

create function written_in() returns xid8 language sql stable as $$ select pg_current_xact_id() $$;

-- Everything below the oldest open transaction is final.
create function written_horizon() returns xid8 language sql stable as
  $$ select pg_snapshot_xmin(pg_current_snapshot()) $$;

create function begin_cluster_epoch() returns void language plpgsql as $$
declare
  here bigint := (select system_identifier from pg_control_system());
  last record;
  newest numeric;
  raised_by bigint;
begin
  select * into last from florin.cluster_epoch order by epoch desc limit 1;
  if last.system_identifier = here then
    return;
  end if;
  select coalesce(max(written), 0) into newest from (
    select max(written_in::text::numeric) as written from florin.event
    union all select max(written_in::text::numeric) from florin.ledger_entry
    union all select max(up_to_written_in::text::numeric) from florin.ledger_snapshot
    union all select max(up_to_written_in::text::numeric) from florin.payout_cursor) w;
  raised_by := greatest(0, newest + 1 - pg_current_xact_id()::text::numeric);
  insert into florin.cluster_epoch (epoch, system_identifier, raised_by)
    values (coalesce(last.epoch, 0) + 1, here, raised_by);
  execute format('create or replace function florin.written_in() returns xid8 language sql stable as
    $f$ select (pg_current_xact_id()::text::bigint + %s)::text::xid8 $f$', raised_by);
  execute format('create or replace function florin.written_horizon() returns xid8
    language sql stable as
    $f$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + %s)::text::xid8 $f$',
    raised_by);
end $$;
revoke all on function begin_cluster_epoch from public;

alter table event alter column written_in set default florin.written_in();
alter table ledger_entry alter column written_in set default florin.written_in();
select begin_cluster_epoch();
