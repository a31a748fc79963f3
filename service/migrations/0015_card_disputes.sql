-- What customers' banks took back of a card payment, or tried to: reference, status, amount, reason.
alter table attempt add column disputes jsonb;
