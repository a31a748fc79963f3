-- Why the last try failed, for the operator's page of stuck work.
alter table work_lease add column last_error text;
alter table transfer_batch add column last_error text;

-- A healthy authorisation is read again within hours too: those that fail are found without reading it.
create index bank_authorisation_failing on bank_authorisation (refresh_due_at)
  where refresh_failures >= 6;
