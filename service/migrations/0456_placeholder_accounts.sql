-- A business that signed itself up has the account of the sandbox's payee in production, too: nothing is
-- paid to it there until a person has set an account of the business.
alter table store_bank_account add column is_placeholder boolean not null default false;
update store_bank_account set is_placeholder = true
where environment = 'PRODUCTION' and sort_code = '180002' and account_number = '00000190';
