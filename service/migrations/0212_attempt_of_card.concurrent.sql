-- It finds the merchant of an attempt that the processor names. That an attempt stands once is its key's.
create index concurrently if not exists attempt_named_by_processor on attempt (attempt_id)
  where method = 'CARD';
drop index concurrently if exists attempt_of_card;
