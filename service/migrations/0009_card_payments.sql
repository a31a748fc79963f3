-- A charge of a saved card is a request of its own kind: it has no page and never expires by time.
alter table payment_request
  add column kind text not null default 'CHECKOUT' check (kind in ('CHECKOUT', 'CARD_CHARGE'));
alter table payment_request drop constraint payment_request_status_check;
alter table payment_request add constraint payment_request_status_check
  check (status in ('OPEN', 'PAID', 'EXPIRED', 'CANCELLED', 'CLOSED'));
alter table payment_request add check (status <> 'CLOSED' or kind = 'CARD_CHARGE');

alter table attempt drop constraint attempt_status_check;
alter table attempt add constraint attempt_status_check check (status in
  ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED', 'COMPLETED', 'FAILED', 'CANCELLED'));
alter table attempt drop constraint attempt_step_check;
alter table attempt add constraint attempt_step_check check (step in
  ('CREATING_CONSENT', 'AT_BANK', 'EXCHANGING', 'SUBMITTING', 'SUBMITTED', 'ENDED',
   'OPENING_PAGE', 'AT_PROCESSOR', 'CHARGING', 'STEP_UP', 'AUTHORISED', 'CAPTURING', 'CANCELLING',
   'PAID_TOO_LATE', 'GIVING_BACK'));

alter table attempt
  -- our saved card: the wire's paymentMethodId
  add column card_id uuid,
  add column capture_type text
    check (capture_type in ('AUTO_CAPTURE', 'MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY')),
  add column initiator text check (initiator in ('MERCHANT', 'CUSTOMER')),
  -- brand, funding, last four digits, expiry, country, category: never a number
  add column card_facts jsonb,
  add column authentication jsonb,
  add column authorisation_expires_business_at timestamptz,
  add column authorisation_expiry_source text
    check (authorisation_expiry_source in ('PROCESSOR', 'TABLE')),
  -- capture_at is the real instant derived from the tenant's own time
  add column capture_business_at timestamptz,
  add column capture_at timestamptz,
  add column cancelled_reason_code text,
  add column cancelled_reason_description text,
  add check ((method = 'CARD') = (capture_type is not null and initiator is not null)),
  add check (capture_at is null or status = 'AUTHORIZED');

-- At most one attempt of a request (of a share) that has money or may get it, across banks and cards.
drop index attempt_one_submitted;
create unique index attempt_one_submitted on attempt
  (merchant_id, environment, payment_request_id, share_id)
  where status in ('PENDING', 'AUTHORIZED', 'COMPLETED');
create index attempt_capture on attempt (capture_at) where capture_at is not null;

-- What a processor tells names our attempt, or its own payment, and no merchant.
create unique index attempt_of_card on attempt (attempt_id) where method = 'CARD';
create index attempt_of_card_payment on attempt (rail_reference)
  where method = 'CARD' and rail_reference is not null;

-- The order guard: whoever charges the same customer for the same order and amount again within a
-- while has to say that it is meant. One row per order, so that of two at once one waits and sees.
alter table merchant_switch add column orders_guarded boolean not null default false;
create table card_charge_guard (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  order_id text not null,
  amount_pence bigint not null,
  payment_request_id uuid not null,
  charged_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, customer_id, order_id, amount_pence)
);
create index card_charge_guard_age on card_charge_guard (written_at);
select protect_tenant_table('card_charge_guard', 'select, insert, update, delete');
