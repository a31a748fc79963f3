-- That the page of a payment request was opened, for the funnel. Written in batches beside the pages; a
-- killed program loses those of a second.
create table page_opening (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  opened_at timestamptz not null,
  primary key (merchant_id, environment, payment_request_id)
);
create index page_opening_newest on page_opening (merchant_id, environment, opened_at);
select protect_tenant_table('page_opening', 'select');
