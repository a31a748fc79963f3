-- The newest links of a merchant, for its dashboard.
create index concurrently if not exists bank_authorisation_newest on bank_authorisation
  (merchant_id, environment, created_at, authorisation_id);
