-- A browser's preflight names an origin and nothing else.
create index access_secret_origin on access_secret using gin (web_origins) where revoked_at is null;
