-- What a delivery needs of its event stands with the body, found by one key: a claim then reads no
-- table that has a second index which a planner without statistics may take for as good.
alter table event_body add column event_type text, add column sequence int,
  add column signing_secret_id uuid;
update event_body b set event_type = e.event_type, sequence = e.sequence,
  signing_secret_id = e.signing_secret_id
from event e
where e.merchant_id = b.merchant_id and e.environment = b.environment and e.event_id = b.event_id;

-- Leads to the one partition that holds the body.
alter table delivery add column event_written_at timestamptz not null default now();
update delivery d set event_written_at = e.written_at from event e
where e.merchant_id = d.merchant_id and e.environment = d.environment and e.event_id = d.event_id;

drop index delivery_of_event;
create index delivery_of_event on delivery (event_id, endpoint_id);
