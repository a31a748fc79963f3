-- Through what a payment request was made: a merchant's program, a member in the dashboard, the till
-- or a printed code. What it emits depends on it (0197-payments-of-the-till.md). The rows that are there have
-- the defaults: 0412 looks at them, beside the programs that go on.
alter table payment_request
  add column channel text not null default 'API',
  add column till_name text,
  -- set by the till; null: the payer chooses, where the merchant takes tips
  add column fixed_tip_pence bigint,
  add constraint payment_request_channel_check
    check (channel in ('API', 'DASHBOARD', 'TILL', 'CODE')) not valid,
  add constraint payment_request_till_name_check check (length(till_name) between 1 and 30) not valid,
  add constraint payment_request_fixed_tip_pence_check check (fixed_tip_pence >= 0) not valid,
  add constraint payment_request_till
    check ((channel = 'TILL') = (till_name is not null)) not valid;
