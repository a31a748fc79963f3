-- A link proves who reads a mailbox. Only the digest of its token is stored; the token is derived from
-- the id of its mail when that is sent.
create table person_link (
  token_sha256 bytea primary key check (length(token_sha256) = 32),
  person_id uuid not null references person on delete cascade,
  purpose text not null check (purpose in ('VERIFY_EMAIL', 'NEW_PASSWORD')),
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index person_link_of_person on person_link (person_id, purpose);
create index person_link_expired on person_link (expires_at);
grant select, insert, update, delete on person_link to florin_system;

-- Mails to people, written with what they are about; a job sends them.
create table person_mail (
  mail_id uuid primary key default gen_random_uuid(),
  -- null: an invite to somebody who may not have signed up
  person_id uuid references person on delete cascade,
  kind text not null check (kind in ('VERIFY_EMAIL', 'NEW_PASSWORD', 'INVITE', 'PASSWORD_CHANGED',
    'PASSKEY_ADDED', 'PASSKEY_REMOVED', 'APP_ADDED', 'APP_REMOVED', 'RECOVERY_CODES_CHANGED',
    'ENDPOINT_FAILING', 'PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED', 'DISPUTE',
    'SUSPENSION')),
  recipient text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  -- what it says is of no use after that
  expires_at timestamptz not null,
  leased_until timestamptz,
  attempts smallint not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text
);
create index person_mail_due on person_mail (due_at) where sent_at is null and given_up_at is null;
create index person_mail_created on person_mail (created_at);
create index person_mail_to on person_mail (recipient, created_at desc);
create index person_mail_of_person on person_mail (person_id);
-- For the operator's page of mails that failed.
create index person_mail_given_up on person_mail (given_up_at) where given_up_at is not null;
grant select, insert, update, delete on person_mail to florin_system;

-- How often mails of a kind may go to an address, or from a merchant, until the window ends.
create table mail_allowance (
  subject text not null,
  kind text not null,
  mail_count smallint not null,
  window_ends_at timestamptz not null,
  primary key (subject, kind)
);
create index mail_allowance_ended on mail_allowance (window_ends_at);
grant select, insert, update, delete on mail_allowance to florin_system;

-- Whatever changes how a person signs in writes the notice of it in the same transaction.
create function mail_notice(of_person uuid, kind text, detail jsonb) returns void language sql as $$
  insert into florin.person_mail (person_id, kind, recipient, detail, expires_at)
  select p.person_id, kind, p.email, detail, clock_timestamp() + interval '7 days'
  from florin.person p where p.person_id = of_person
$$;
create function mail_changed_password() returns trigger language plpgsql as $$
begin
  perform florin.mail_notice(new.person_id, 'PASSWORD_CHANGED', '{}');
  return null;
end $$;
create trigger person_credential_notice after update on person_credential for each row
  when (old.password_hash is distinct from new.password_hash)
  execute function mail_changed_password();

create function mail_added_passkey() returns trigger language plpgsql as $$
begin
  perform florin.mail_notice(new.person_id, 'PASSKEY_ADDED', jsonb_build_object('name', new.name));
  return null;
end $$;
create trigger person_passkey_added after insert on person_passkey for each row
  execute function mail_added_passkey();

create function mail_removed_passkey() returns trigger language plpgsql as $$
begin
  perform florin.mail_notice(old.person_id, 'PASSKEY_REMOVED', jsonb_build_object('name', old.name));
  return null;
end $$;
create trigger person_passkey_removed after delete on person_passkey for each row
  execute function mail_removed_passkey();

create function mail_changed_app() returns trigger language plpgsql as $$
begin
  perform florin.mail_notice(new.person_id,
    case when new.two_factor_enabled then 'APP_ADDED' else 'APP_REMOVED' end, '{}');
  return null;
end $$;
create trigger person_app_notice after update on person for each row
  when (old.two_factor_enabled is distinct from new.two_factor_enabled)
  execute function mail_changed_app();

create function mail_changed_codes() returns trigger language plpgsql as $$
begin
  perform florin.mail_notice(new.person_id, 'RECOVERY_CODES_CHANGED', '{}');
  return null;
end $$;
create trigger person_two_factor_notice after update on person_two_factor for each row
  when (old.verified and old.recovery_code_digests is distinct from new.recovery_code_digests)
  execute function mail_changed_codes();

-- Which mails a member wants about a merchant, in one environment.
-- No row: those of production that somebody has to act on.
create table member_notification (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  person_id uuid not null,
  kinds text[] not null,
  failing_hours smallint not null check (failing_hours between 1 and 72),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, person_id),
  foreign key (merchant_id, person_id) references membership (merchant_id, person_id) on delete cascade
);
create index member_notification_of_member on member_notification (merchant_id, person_id);
comment on table member_notification is 'Not replicated: as a membership.';
select protect_tenant_table('member_notification', 'select, insert, update, delete');

-- What members may want to know; a job makes mails of it and deletes it. Triggers write it, so that the
-- statements that change a payout, a case, a proposed refund or a suspension stay as they are.
create table member_notice (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  notice_id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED',
    'DISPUTE', 'SUSPENSION')),
  detail jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, notice_id)
);
create index member_notice_created on member_notice (environment, created_at);
select protect_tenant_table('member_notice', 'insert');
