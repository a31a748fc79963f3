-- It finds the payment that a bank's notification names.
create index concurrently if not exists attempt_by_bank_payment on attempt
  (environment, institution_id, bank_payment_reference)
  where bank_payment_reference is not null;
create index concurrently if not exists bank_authorisation_by_consent on bank_authorisation
  (environment, institution_id, consent_reference)
  where status = 'LINKED';
