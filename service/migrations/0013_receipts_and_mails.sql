create table mail_outbox (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  mail_id bigint generated always as identity,
  kind text not null,
  dedupe_key text not null,
  recipient text,
  subject text not null,
  body text not null,
  -- the same as HTML; null: it is text alone
  body_html text,
  created_at timestamptz not null,
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  attempts smallint not null default 0,
  sent_at timestamptz,
  last_error text,
  primary key (merchant_id, environment, mail_id),
  unique (merchant_id, environment, dedupe_key)
);
create index mail_outbox_due on mail_outbox (environment, due_at) where sent_at is null;
create index mail_outbox_sent on mail_outbox (sent_at) where sent_at is not null;
select protect_tenant_table('mail_outbox', 'select');

-- Who gets the statement of each month. `month` is the next that is mailed, `due_at` the real time at which
-- the tenant's own clock is at six of the day after it; null: nobody wants it.
create table statement_mail (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  emails text[] not null check (cardinality(emails) <= 5),
  month date not null check (extract(day from month) = 1),
  due_at timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment),
  check ((due_at is null) = (emails = '{}'))
);
create index statement_mail_due on statement_mail (environment, due_at);
select protect_tenant_table('statement_mail', 'select, insert, update');

-- Receipts that payers requested by mail. The address is encrypted, and gone once the mail is handed
-- over. What could not be sent is kept, and shown to the merchant, until it is pruned.
create table receipt_mail (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  position smallint not null,
  -- links and receipts of refunds, which members mail, are in the same queue, under the payment request
  -- or the refund in place of an attempt
  kind text not null default 'RECEIPT' check (kind in ('RECEIPT', 'LINK', 'REFUND')),
  payment_request_id uuid not null,
  recipient_encrypted bytea,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text,
  primary key (merchant_id, environment, attempt_id, position),
  check (sent_at is null or recipient_encrypted is null)
);
create index receipt_mail_due on receipt_mail (environment, due_at) where sent_at is null;
create index receipt_mail_newest on receipt_mail (merchant_id, environment, created_at desc);
create index receipt_mail_age on receipt_mail (created_at);
select protect_tenant_table('receipt_mail', 'select, insert');

-- How many receipts of one payment were requested: a row to lock, so that no race passes the limit.
create table receipt_allowance (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  request_count smallint not null,
  primary key (merchant_id, environment, attempt_id)
);
select protect_tenant_table('receipt_allowance', 'select, insert, update');

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
