-- How long requests live that do not say so; null: as the contract says.
alter table merchant_switch add column expires_in_ms bigint
  check (expires_in_ms between 60000 and 34560000000);
