-- Search filters by bank; a payment by card has none. No index: what is read is bounded instead. The
-- rows that are there get theirs from 0413, beside the programs that go on.
alter table transaction_item add column institution_id text;
