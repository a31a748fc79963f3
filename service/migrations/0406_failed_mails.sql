-- For the operator's page of mails that failed.
create index person_mail_given_up on person_mail (given_up_at) where given_up_at is not null;
alter table operator_case add column report_error text;
