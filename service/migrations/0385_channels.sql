-- Through what a payment request was made: a merchant's program, a member in the dashboard, the till
-- or a printed code. What it emits depends on it (0197-payments-of-the-till.md).
alter table payment_request
  add column channel text not null default 'API'
    check (channel in ('API', 'DASHBOARD', 'TILL', 'CODE')),
  add column till_name text check (length(till_name) between 1 and 30),
  -- set by the till; null: the payer chooses, where the merchant takes tips
  add column fixed_tip_pence bigint check (fixed_tip_pence >= 0),
  add constraint payment_request_till check ((channel = 'TILL') = (till_name is not null));
