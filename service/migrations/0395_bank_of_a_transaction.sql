-- Search filters by bank; a payment by card has none. No index: what is read is bounded instead.
alter table transaction_item add column institution_id text;
update transaction_item i set institution_id = a.institution_id
from attempt a
where a.merchant_id = i.merchant_id and a.environment = i.environment
  and a.payment_request_id = i.payment_request_id and a.position = i.position
  and a.method = 'PAY_BY_BANK';
