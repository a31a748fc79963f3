-- How a person comes to a merchant's team. Only the digest of the token in its link is stored.
create table invite (
  merchant_id uuid not null references merchant,
  invite_id uuid not null,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('owner', 'manager', 'cashier', 'developer', 'readOnly')),
  in_production boolean not null,
  token_sha256 bytea not null check (length(token_sha256) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (merchant_id, invite_id)
);
create index invite_by_token on invite (token_sha256);
select protect_tenant_table('invite', 'select, insert, update, delete');
