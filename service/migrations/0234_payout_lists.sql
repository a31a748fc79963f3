-- Every filter of the list of payouts has its index, and a payout knows how many lines it has.
alter table payout add column line_count int not null default 0;
update payout p set line_count = (select count(*) from payout_line l
  where l.merchant_id = p.merchant_id and l.environment = p.environment
    and l.payout_id = p.payout_id);
drop index payout_newest;
create index payout_by_time on payout (merchant_id, environment, created_at, payout_id);
create index payout_by_status on payout (merchant_id, environment, status, created_at, payout_id);
create index payout_by_amount on payout
  (merchant_id, environment, amount_pence, created_at, payout_id);
create index payout_by_reference on payout (merchant_id, environment, reference collate "C");
