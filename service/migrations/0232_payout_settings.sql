-- When a merchant's payouts are closed, and what the operator charges for payments in them.
alter table merchant_switch
  add column settlement_period text not null default 'DAILY'
    check (settlement_period in ('DAILY', 'WEEKLY', 'MONTHLY')),
  add column cut_off_minutes smallint not null default 1020
    check (cut_off_minutes between 0 and 1439),
  add column fee_fixed_pence bigint not null default 0
    check (fee_fixed_pence between 0 and 100000),
  add column fee_basis_points int not null default 0
    check (fee_basis_points between 0 and 10000),
  add constraint merchant_switch_refunds_settle_daily
    check (settlement_period = 'DAILY' or not refunds_enabled);

-- Half up to pence.
create function fee_pence(amount_pence bigint, fixed_pence bigint, basis_points int)
returns bigint language sql immutable
return fixed_pence + (amount_pence * basis_points + 5000) / 10000;
