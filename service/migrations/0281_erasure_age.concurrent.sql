-- Erasures that were done long ago are found by their age.
create index concurrently if not exists erasure_done on erasure (done_at)
  where done_at is not null;
