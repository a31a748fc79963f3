-- The logo that an operator gave a merchant. Its name is made from its bytes, so that it can be cached
-- for ever.
alter table merchant
  add column logo bytea check (octet_length(logo) <= 32768),
  add column logo_file text check (logo_file ~ '^[0-9a-f]{32}\.(svg|png)$'),
  add check ((logo is null) = (logo_file is null));
