-- A secret may be staged: it signs X-Service-Signature-Next beside the current one until it takes its
-- place.
alter table webhook_signing_secret add column is_next boolean not null default false;
drop index webhook_signing_secret_current;
create unique index webhook_signing_secret_current on webhook_signing_secret (merchant_id, environment)
  where expires_at is null and not is_next;
create unique index webhook_signing_secret_next on webhook_signing_secret (merchant_id, environment)
  where is_next;
