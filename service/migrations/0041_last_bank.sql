-- Which bank a customer of the merchant paid with last. Only paid requests stand in it, so that creating
-- a request costs nothing more.
create index payment_request_paid_by on payment_request
  (merchant_id, environment, merchant_customer_reference, created_at desc) where status = 'PAID';
