-- Every kind of work that fails is put off by a row, with its reason: it delays nobody else's.
alter table work_lease drop constraint work_lease_work_check;
alter table work_lease add constraint work_lease_work_check check (work in
  ('EXPIRE', 'ABANDON', 'ALERT', 'POLL', 'CAPTURE', 'HAND_OVER', 'FILL_PAYOUT', 'CLOSE_PAYOUT',
   'END_LINK', 'ERASE', 'ERASE_PAYMENT', 'SNAPSHOT', 'MONEY_DAY')) not valid;
create index work_lease_failed on work_lease (work, leased_until) where failures > 0;
