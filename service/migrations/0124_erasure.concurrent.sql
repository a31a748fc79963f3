create index concurrently if not exists payment_request_of_customer
  on payment_request (merchant_id, environment, customer_id) where customer_id is not null;
-- By age, for the retention of personal data: tiny, because rows are written in the order of time.
create index concurrently if not exists payment_request_age on payment_request using brin (created_at);
