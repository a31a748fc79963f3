-- The reference that a card had before must be detached at the processor. The upsert that replaces it does
-- not see it when two payments save the card concurrently; only `returning old`, newer than PostgreSQL
-- 15, and a trigger do.
create function detach_replaced_reference() returns trigger language plpgsql as $$
begin
  insert into florin.card_detachment (merchant_id, environment, reference_id, customer_id,
    account_key, reference_encrypted, reason)
  values (old.merchant_id, old.environment, old.reference_id, old.customer_id,
    old.account_key, old.reference_encrypted, 'REPLACED');
  return null;
end $$;

create trigger card_reference_replaced after update of reference_id on card
  for each row when (old.reference_id <> new.reference_id)
  execute function detach_replaced_reference();
