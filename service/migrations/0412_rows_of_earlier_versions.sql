-- What earlier versions left for later, so that no statement holds a table for long (docs/OPERATING.md).

-- 0385 adds these without a look at the rows, which would stop every payment meanwhile.
alter table payment_request validate constraint payment_request_channel_check;
alter table payment_request validate constraint payment_request_till_name_check;
alter table payment_request validate constraint payment_request_fixed_tip_pence_check;
alter table payment_request validate constraint payment_request_till;

-- An operator who enters the account of a refund sees to how much money, of older cases too.
update operator_case c
set evidence = c.evidence || jsonb_build_object('amountPence', f.amount_pence)
from refund f
where c.kind = 'REFUND_ACCOUNT_NEEDED' and c.status = 'OPEN' and not c.evidence ? 'amountPence'
  and f.merchant_id = c.merchant_id and f.environment = c.environment
  and f.refund_id::text = c.subject;

-- The bank of each payment that was there before 0395, some pages of the table at a time: a payment that
-- changes meanwhile waits for one batch at most.
create procedure fill_bank_of_transactions(pages_at_once int) language plpgsql as $$
declare
  pages int := pg_relation_size('transaction_item') / current_setting('block_size')::int;
begin
  for first_page in 0..pages by pages_at_once loop
    update transaction_item i set institution_id = a.institution_id
    from attempt a
    where i.ctid >= format('(%s,0)', first_page)::tid
      and i.ctid < format('(%s,0)', first_page + pages_at_once)::tid
      and i.institution_id is null and i.method = 'PAY_BY_BANK'
      and a.merchant_id = i.merchant_id and a.environment = i.environment
      and a.payment_request_id = i.payment_request_id and a.position = i.position
      and a.method = 'PAY_BY_BANK';
    commit;
  end loop;
end $$;
