-- A refund of money that has not arrived would be paid from other money, and be lost if it never does.
alter table merchant_switch add column refunds_before_settlement boolean not null default false;

alter table refund drop constraint refund_waits_for_check;
alter table refund add constraint refund_waits_for_check check (waits_for in (
  'BALANCE', 'SETTLEMENT', 'REFUND_ACCOUNT_NEEDED', 'OPERATOR')) not valid;
alter table refund validate constraint refund_waits_for_check;
