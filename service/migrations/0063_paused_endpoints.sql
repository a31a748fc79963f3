-- A paused endpoint keeps its places among the three. `missed_since`: from when on it may have missed
-- something in its last pause; both are the tenant's time.
alter table webhook_endpoint
  add column paused_at timestamptz,
  add column missed_since timestamptz,
  add column is_paused boolean not null default false,
  add check (is_paused = (paused_at is not null)),
  add unique (merchant_id, environment, endpoint_id, is_paused);

-- What an emitting statement reads stands where it reads it. The key copies it there, also into a
-- subscription that is made at the very moment of a resume: otherwise that one would stay silent.
alter table subscription add column is_paused boolean not null default false,
  add foreign key (merchant_id, environment, endpoint_id, is_paused)
    references webhook_endpoint (merchant_id, environment, endpoint_id, is_paused) on update cascade;
