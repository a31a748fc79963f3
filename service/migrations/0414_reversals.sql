-- What a bank takes back is called a reversal (docs/GLOSSARY.md), in stored words too.

do $$
declare
  targets constant text[] := array['money_day', 'payout_line', 'attempt', 'refund', 'payment_history',
    'refund_history'];
  -- Of an owner who is no superuser, row level security would hide every row.
  hidden constant text[] := array(select t from unnest(targets) t where row_security_active(t));
  target text;
begin
  -- Rewritten instead of updated: no entry of the books is ever changed (MONEY-16), and none is here but
  -- for the word. The table is locked meanwhile, so a ledger without reversals is left as it is.
  if row_security_active('ledger_entry')
    or exists (select from ledger_entry where reason = 'PAYMENT_TAKEN_BACK')
  then
    alter table ledger_entry alter column reason type text using
      case reason when 'PAYMENT_TAKEN_BACK' then 'PAYMENT_REVERSED' else reason end;
  end if;

  -- Until this commits, and for this session alone, the guard of the histories lets an update through.
  create or replace function refuse_change() returns trigger language plpgsql as $guard$
  begin
    return new;
  end $guard$;
  foreach target in array hidden loop
    execute format('alter table %I no force row level security', target);
  end loop;
  update money_day set reason = 'PAYMENT_REVERSED' where reason = 'PAYMENT_TAKEN_BACK';
  update payout_line set reason = 'PAYMENT_REVERSED' where reason = 'PAYMENT_TAKEN_BACK';
  update attempt set ended_reason = 'REVERSED' where ended_reason = 'TAKEN_BACK';
  update refund set error_code = 'PAYMENT_REVERSED' where error_code = 'PAYMENT_TAKEN_BACK';
  update payment_history set trigger = 'reversed'
    where subject = 'ATTEMPT' and trigger = 'rejectedLater';
  update payment_history set trigger = 'paymentReversed'
    where subject = 'REQUEST' and trigger = 'paymentTakenBack';
  update refund_history set trigger = 'paymentReversed' where trigger = 'paymentTakenBack';
  foreach target in array hidden loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

alter table account_credit drop constraint account_credit_status_check;
update account_credit set status = 'REVERSED' where status = 'TAKEN_BACK';
alter table account_credit add constraint account_credit_status_check
  check (status in ('OPEN', 'MATCHED', 'UNMATCHED', 'REVERSED'));
