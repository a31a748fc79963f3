-- Links that members mail are in the queue of receipts, under the payment request in place of an attempt.
alter table receipt_mail add column kind text not null default 'RECEIPT'
  check (kind in ('RECEIPT', 'LINK'));

-- How many links of a merchant were mailed on a day of London: a row to lock, so that no race passes
-- the limit.
create table link_mail_day (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  mails integer not null,
  primary key (merchant_id, environment, day)
);
select protect_tenant_table('link_mail_day', 'select, insert, update');
