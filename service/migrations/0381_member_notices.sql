-- Which mails a member wants about a merchant, in one environment.
-- No row: those of production that somebody has to act on.
create table member_notification (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  person_id uuid not null,
  kinds text[] not null,
  failing_hours smallint not null check (failing_hours between 1 and 72),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, person_id),
  foreign key (merchant_id, person_id) references membership (merchant_id, person_id) on delete cascade
);
create index member_notification_of_member on member_notification (merchant_id, person_id);
select protect_tenant_table('member_notification', 'select, insert, update, delete');

-- What members may want to know, written with the change; a job makes mails of it and deletes it.
create table member_notice (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  notice_id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'DISPUTE')),
  detail jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, notice_id)
);
create index member_notice_created on member_notice (created_at);
select protect_tenant_table('member_notice', 'insert');

alter table person_mail drop constraint person_mail_kind_check;
alter table person_mail add constraint person_mail_kind_check
  check (kind in ('VERIFY_EMAIL', 'NEW_PASSWORD', 'INVITE', 'PASSWORD_CHANGED', 'PASSKEY_ADDED',
    'PASSKEY_REMOVED', 'APP_ADDED', 'APP_REMOVED', 'RECOVERY_CODES_CHANGED', 'ENDPOINT_FAILING',
    'PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'DISPUTE'));

-- Triggers, so that the statements of payments and payouts stay as they are: few of them open a case.
create function note_payout() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.status when 'SETTLED' then 'PAYOUT_PAID' else 'PAYOUT_FAILED' end,
    jsonb_build_object('payoutId', new.payout_id, 'amountPence', new.amount_pence::text,
      'reference', new.reference));
  return null;
end $$;
create trigger payout_noted after update on payout for each row
  when (new.status in ('SETTLED', 'FAILED') and old.status <> new.status)
  execute function note_payout();

create function note_case() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.kind when 'REFUND_ACCOUNT_NEEDED' then 'REFUND_WAITS' else 'DISPUTE' end,
    jsonb_build_object('case', new.kind, 'amountPence', new.evidence ->> 'amountPence',
      'paymentRequestId', new.evidence ->> 'paymentRequestId'));
  return null;
end $$;
create trigger operator_case_noted after insert on operator_case for each row
  when (new.merchant_id is not null
    and new.kind in ('DISPUTE_OPENED', 'DISPUTE_LOST', 'REFUND_ACCOUNT_NEEDED'))
  execute function note_case();
