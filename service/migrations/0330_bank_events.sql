-- By which a bank's notifications name a payment: only of banks that send any.
alter table attempt add column bank_payment_reference text;
-- When a notification of the bank last made a poll due, so that no bank is called as often as it likes.
alter table attempt_poll add column hinted_at timestamptz;
alter table bank_authorisation add column hinted_at timestamptz;
