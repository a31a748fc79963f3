-- Partitions are made and dropped while the programs run, which own no table.
alter function ensure_month_partitions(regclass, int) security definer set search_path = florin, pg_temp;
revoke all on function ensure_month_partitions(regclass, int) from public;
grant execute on function ensure_month_partitions(regclass, int) to florin_system;

-- Old events are found by their age: rows stand in the table in the order of writing.
create index event_age on event using brin (written_at);
