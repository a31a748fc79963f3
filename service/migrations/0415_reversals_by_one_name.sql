-- A program of an earlier version that still runs beside this one would book a reversal under its old name,
-- and no payout would return its fee. Its statement fails instead, and the bank is polled again later.
alter table ledger_entry
  add constraint ledger_entry_reversal_name check (reason <> 'PAYMENT_TAKEN_BACK') not valid
