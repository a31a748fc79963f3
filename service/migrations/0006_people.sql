-- People who sign in to the dashboard. They belong to no merchant: a membership leads to one.
create table person (
  person_id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  -- in lower case: one person per address
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  email_verified boolean not null default false,
  two_factor_enabled boolean not null default false,
  is_operator boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on person to florin_system;

-- Only the digest of a session's token is stored.
create table person_session (
  session_id uuid primary key,
  person_id uuid not null references person on delete cascade,
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- when the person last proved who they are
  authenticated_at timestamptz not null default clock_timestamp(),
  -- when the person last did something, to a minute
  used_at timestamptz not null default clock_timestamp(),
  -- its device checked the person: a second factor
  by_passkey boolean not null default false,
  address text,
  user_agent text
);
create index person_session_of_person on person_session (person_id, created_at desc);
create index person_session_expired on person_session (expires_at);
grant select, insert, update, delete on person_session to florin_system;

-- How a person signs in by password: its scrypt digest.
create table person_credential (
  credential_id uuid primary key,
  person_id uuid not null references person on delete cascade,
  provider text not null check (provider = 'credential'),
  -- the person again, as the sign-in library names it
  account text not null,
  password_hash text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (person_id, provider)
);
grant select, insert, update, delete on person_credential to florin_system;

create table person_passkey (
  passkey_id uuid primary key,
  person_id uuid not null references person on delete cascade,
  name text check (length(name) <= 100),
  public_key text not null,
  credential text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default clock_timestamp()
);
create index person_passkey_of_person on person_passkey (person_id);
grant select, insert, update, delete on person_passkey to florin_system;

-- The secret is encrypted by the sign-in library under a purpose key, which a new master key encrypts again:
-- that column stays as it is. Of recovery codes there are slow digests, as JSON.
create table person_two_factor (
  two_factor_id uuid primary key,
  person_id uuid not null unique references person on delete cascade,
  secret_sealed text not null,
  recovery_code_digests text not null,
  verified boolean not null default false,
  failed_count int not null default 0,
  locked_until timestamptz,
  -- The time step of the last code of the app that was accepted: it, and every earlier one, is accepted no
  -- more (RFC 6238, 5.2).
  accepted_step bigint
);
grant select, insert, update, delete on person_two_factor to florin_system;

-- Open verifications: of an address, a new password, a passkey's challenge. The identifier is a digest.
create table person_verification (
  verification_id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index person_verification_identifier on person_verification (identifier, created_at desc);
create index person_verification_expired on person_verification (expires_at);
grant select, insert, update, delete on person_verification to florin_system;

-- What a person may do for a merchant.
create table membership (
  merchant_id uuid not null references merchant,
  person_id uuid not null references person on delete cascade,
  role text not null check (role in ('owner', 'manager', 'cashier', 'developer', 'readOnly')),
  -- a merchant that signed up itself has its sandbox until the operator lets it into production
  in_production boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, person_id)
);
create index membership_of_person on membership (person_id);
comment on table membership is 'Not replicated: it names people, who may have another id in another cell.';
select protect_tenant_table('membership', 'select, insert, update, delete');

-- Memberships are carried in the pause of a move: nobody becomes a member, or is one no more, meanwhile.
create function require_members_stay() returns trigger language plpgsql as $$
begin
  if exists (select from florin.cell_move m where m.status = 'PAUSED'
      and m.merchant_id in (old.merchant_id, new.merchant_id)) then
    raise exception using errcode = 'FL001', message = 'The merchant is being moved to another cell.';
  end if;
  return coalesce(new, old);
end $$;
create trigger membership_stays before insert or update or delete on membership for each row
  execute function require_members_stay();

-- How a person comes to a merchant's team. Only the digest of the token in its link is stored.
create table invite (
  merchant_id uuid not null references merchant,
  invite_id uuid not null,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('owner', 'manager', 'cashier', 'developer', 'readOnly')),
  in_production boolean not null,
  token_sha256 bytea not null check (length(token_sha256) = 32),
  -- The link in the mail of an invite is not the one that a member copies: who uses it reads the mailbox.
  mailed_token_sha256 bytea check (length(mailed_token_sha256) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (merchant_id, invite_id)
);
create index invite_by_token on invite (token_sha256);
create index invite_by_mailed_token on invite (mailed_token_sha256);
-- Invites that have ended are pruned across businesses.
create index invite_ended on invite ((coalesce(accepted_at, expires_at)));
select protect_tenant_table('invite', 'select, insert, update, delete');

-- Filters of a page that a person has saved under a name.
create table saved_view (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  person_id uuid not null references person on delete cascade,
  page text not null,
  name text not null check (length(name) between 1 and 50),
  view_id uuid not null,
  query text not null check (length(query) <= 1000),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, person_id, page, name)
);
create unique index saved_view_id on saved_view (merchant_id, environment, person_id, view_id);
create index saved_view_of_person on saved_view (person_id);
comment on table saved_view is 'Not replicated: as a membership.';
select protect_tenant_table('saved_view', 'select, insert, update, delete');
