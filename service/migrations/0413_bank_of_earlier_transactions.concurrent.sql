-- Killed, it begins again: what has its bank is not written a second time.
call fill_bank_of_transactions(100);
drop procedure fill_bank_of_transactions
