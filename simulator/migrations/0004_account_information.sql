create table simulator.account_consent (
  bank_id text not null,
  id text not null,
  client_id text not null,
  -- One that was created under one version of the standard is unknown under the other.
  version text not null check (version in ('3.1', '4.0')),
  permissions text[] not null,
  expires_at timestamptz,
  transactions_from timestamptz,
  transactions_to timestamptz,
  status text not null check (status in ('AWAU', 'AUTH', 'RJCT', 'CANC')),
  created_at timestamptz not null,
  status_updated_at timestamptz not null,
  login text,
  interaction_id text,
  account_ids text[] not null default '{}',
  -- The bank shows nothing until the customer has logged in again.
  demands_login boolean not null default false,
  is_deleted boolean not null default false,
  clock_offset_ms bigint not null default 0,
  primary key (bank_id, id)
);
create index account_consent_by_login on simulator.account_consent (bank_id, login);

-- Calls without a customer, at banks that count them.
create table simulator.unattended_call (
  bank_id text not null,
  consent_id text not null,
  subject text not null,
  day date not null,
  calls int not null,
  primary key (bank_id, consent_id, subject, day),
  foreign key (bank_id, consent_id) references simulator.account_consent (bank_id, id)
);
