-- A credit without an end-to-end id is matched by amount and name.
create index concurrently if not exists attempt_by_credit on attempt
  (environment, (amount_pence + tip_pence), submitted_at)
  where settles_to = 'COLLECTING_ACCOUNT' and status in ('PENDING', 'COMPLETED');
