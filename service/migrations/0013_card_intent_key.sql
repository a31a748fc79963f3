-- Whose capture or cancellation of a card payment this is: the same Idempotency-Key later answers what
-- became of it, also after a reply that did not know.
alter table attempt add column intent_key text;
