-- A proposed refund is a notice to the members who may approve it.
alter table member_notice drop constraint member_notice_kind_check;
alter table member_notice add constraint member_notice_kind_check
  check (kind in ('PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED', 'DISPUTE'));
alter table person_mail drop constraint person_mail_kind_check;
alter table person_mail add constraint person_mail_kind_check
  check (kind in ('VERIFY_EMAIL', 'NEW_PASSWORD', 'INVITE', 'PASSWORD_CHANGED', 'PASSKEY_ADDED',
    'PASSKEY_REMOVED', 'APP_ADDED', 'APP_REMOVED', 'RECOVERY_CODES_CHANGED', 'ENDPOINT_FAILING',
    'PAYOUT_PAID', 'PAYOUT_FAILED', 'REFUND_WAITS', 'REFUND_PROPOSED', 'DISPUTE'));

create function note_proposed_refund() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'REFUND_PROPOSED',
    jsonb_build_object('amountPence', new.amount_pence::text, 'by', new.proposed_by_name,
      'paymentRequestId', new.payment_request_id));
  return null;
end $$;
create trigger refund_approval_noted after insert on refund_approval for each row
  when (new.status = 'WAITING') execute function note_proposed_refund();
