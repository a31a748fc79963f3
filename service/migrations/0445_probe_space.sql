-- An update of one row finds room in pages that exist, also on a full disk. What is listed here is larger
-- than its memory, so it is written to a file that did not exist, in the database's own folder.
create function probe_space() returns bigint
language sql volatile
set work_mem = '64kB'
set temp_tablespaces = ''
as $$
  select count(n.*) from generate_series(1, 50000) n
$$;
