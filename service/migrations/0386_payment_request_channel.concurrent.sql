-- The newest links, sales of the till and payments of codes: few beside those of programs.
create index concurrently if not exists payment_request_channel on payment_request
  (merchant_id, environment, channel, created_at desc, payment_request_id desc)
  where channel <> 'API';
