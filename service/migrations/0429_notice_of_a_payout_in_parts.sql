-- Of a payout in several transfers, what the bank paid.
create or replace function note_payout() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.status when 'SETTLED' then 'PAYOUT_PAID' else 'PAYOUT_FAILED' end,
    jsonb_build_object('payoutId', new.payout_id, 'reference', new.reference,
      'amountPence', (new.amount_pence - case new.status when 'SETTLED' then coalesce((
        select sum(t.amount_pence) from florin.transfer f
        join florin.transfer t on t.merchant_id = f.merchant_id
          and t.environment = f.environment and t.message_id = f.message_id
        where f.merchant_id = new.merchant_id and f.environment = new.environment
          and f.end_to_end_id = new.end_to_end_id
          and t.outcome in ('REJECTED', 'RETURNED')), 0) else 0 end)::text));
  return null;
end $$;
