-- How many deliveries a second an endpoint is sent at most; null: as many as it takes.
alter table webhook_endpoint add column rate_per_second smallint check (rate_per_second between 1 and 1000);
