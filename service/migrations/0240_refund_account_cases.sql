-- One more kind, whatever kinds other migrations have added.
do $$
declare
  known text := (select pg_get_constraintdef(oid) from pg_constraint
    where conname = 'operator_case_kind_check' and conrelid = 'operator_case'::regclass);
begin
  alter table operator_case drop constraint operator_case_kind_check;
  execute 'alter table operator_case add constraint operator_case_kind_check '
    || replace(known, 'ARRAY[', 'ARRAY[''REFUND_ACCOUNT_NEEDED''::text, ');
end
$$;
