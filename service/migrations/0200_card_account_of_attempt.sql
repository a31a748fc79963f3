-- Open work stays with the account at the card processor that it was made with (CARD-20). A merchant's
-- former accounts keep their keys until they are forgotten.
alter table card_account drop constraint card_account_pkey;
-- The account chosen last is in use; null: never, its keys are there for open work alone.
alter table card_account add column chosen_at timestamptz;
update card_account set chosen_at = updated_at;
alter table card_account add primary key (merchant_id, environment, account_key);
grant delete on card_account to florin_tenant;

alter table attempt add column account_key text;
update attempt a set account_key = coalesce((select c.account_key from card_account c
  where c.merchant_id = a.merchant_id and c.environment = a.environment), 'simulated')
where a.method = 'CARD';
alter table attempt add constraint attempt_card_account
  check ((method = 'CARD') = (account_key is not null)) not valid;
alter table attempt validate constraint attempt_card_account;
