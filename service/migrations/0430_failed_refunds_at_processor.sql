-- A refund made at the processor that failed later is kept, and counts no more (REFUND-9).
create or replace function refunded_at_processor_pence(refunds jsonb) returns bigint
language sql immutable
return coalesce((select sum((r->>'amountPence')::bigint) from jsonb_array_elements(refunds) r
  where r->>'failedAt' is null), 0);
