-- Invites that have ended are pruned across businesses.
create index concurrently if not exists invite_ended on invite
  ((coalesce(accepted_at, expires_at)));
