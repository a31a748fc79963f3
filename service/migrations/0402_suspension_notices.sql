-- A suspension and its end are notices to members, also to members who chose their mails before.
alter table member_notice drop constraint member_notice_kind_check;
alter table member_notice add constraint member_notice_kind_check
  check (kind in ('PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED', 'DISPUTE',
    'SUSPENSION'));
alter table person_mail drop constraint person_mail_kind_check;
alter table person_mail add constraint person_mail_kind_check
  check (kind in ('VERIFY_EMAIL', 'NEW_PASSWORD', 'INVITE', 'PASSWORD_CHANGED', 'PASSKEY_ADDED',
    'PASSKEY_REMOVED', 'APP_ADDED', 'APP_REMOVED', 'RECOVERY_CODES_CHANGED', 'ENDPOINT_FAILING',
    'PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED', 'DISPUTE', 'SUSPENSION'));
update member_notification set kinds = kinds || 'SUSPENSION'::text where environment = 'PRODUCTION';

create function note_suspension() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'SUSPENSION',
    jsonb_build_object('reason', case when new.resumed_at is null then new.reason end));
  return null;
end $$;
create trigger merchant_suspension_noted after insert or update on merchant_suspension for each row
  execute function note_suspension();
