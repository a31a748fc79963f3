-- Refunds that a merchant made in the processor's own dashboard count as refunded too (MONEY-12).
create function refunded_at_processor_pence(refunds jsonb) returns bigint language sql immutable
return coalesce((select sum((r->>'amountPence')::bigint) from jsonb_array_elements(refunds) r), 0);
