-- The processor's id of the account: its keys may be replaced, its customers and cards stay.
alter table card_account add column account_key text not null default 'stripe';
alter table card_account alter column account_key drop default;
