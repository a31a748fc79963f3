-- When the client was sent a notice that this message waits; null: it was not yet.
alter table simulator.hub_delivery add column noticed_at timestamptz;
create index hub_delivery_unnoticed on simulator.hub_delivery
  (sort_code, account_number, available_at) where acknowledged_at is null and noticed_at is null;
