-- Where a merchant helps its payers: shown on the hosted page, the receipt and its mail.
alter table merchant
  add column support_email text check (length(support_email) between 3 and 254),
  add column support_phone text check (support_phone ~ '^\+?[0-9][0-9 -]{5,29}$'),
  add column support_url text
    check (support_url like 'https://%' and length(support_url) <= 2048);
