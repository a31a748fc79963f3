-- Of an account that several authorisations show: when its newest reading began, when its bank last
-- refused to show it, and whether what it holds is being removed, so that a new link reads it again.
alter table bank_account
  add column read_since timestamptz,
  add column refused_at timestamptz,
  add column is_leaving boolean not null default false;
