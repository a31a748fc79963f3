-- Generated from the migrated database by `npm run generate`: do not edit it here.

create table access_secret (
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null,
  name text not null,
  last_four character(4) not null,
  secret_encrypted bytea not null,
  redirect_url text,
  web_origins text[] default '{}'::text[] not null,
  is_read_only boolean default false not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint access_secret_pkey PRIMARY KEY (merchant_id, environment, secret_id),
  constraint access_secret_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint access_secret_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX access_secret_origin ON access_secret USING gin (web_origins) WHERE (revoked_at IS NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on access_secret to florin_system;
grant insert, select, update on access_secret to florin_tenant;

create table account_credit (
  environment text not null,
  credit_id uuid default gen_random_uuid() not null,
  entry_key text not null,
  status text default 'OPEN'::text not null,
  amount_pence bigint not null,
  bank_reference text,
  booked_on date,
  end_to_end_id text,
  known_as text,
  payer_name text,
  remittance text,
  is_returned boolean not null,
  merchant_id uuid,
  payment_request_id uuid,
  attempt_id uuid,
  matched_by text,
  matched_at timestamp with time zone,
  unmatched_reason text,
  tries integer default 0 not null,
  last_error text,
  due_at timestamp with time zone default clock_timestamp(),
  received_at timestamp with time zone default clock_timestamp() not null,
  constraint account_credit_pkey PRIMARY KEY (credit_id),
  constraint account_credit_environment_entry_key_key UNIQUE (environment, entry_key),
  constraint account_credit_amount_pence_check CHECK ((amount_pence > 0)),
  constraint account_credit_check CHECK (((status <> 'MATCHED'::text) OR ((attempt_id IS NOT NULL) AND (matched_by IS NOT NULL)))),
  constraint account_credit_check1 CHECK (((due_at IS NOT NULL) = (status = 'OPEN'::text))),
  constraint account_credit_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint account_credit_matched_by_check CHECK ((matched_by = ANY (ARRAY['END_TO_END_ID'::text, 'AMOUNT_AND_NAME'::text, 'OPERATOR'::text]))),
  constraint account_credit_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'MATCHED'::text, 'UNMATCHED'::text, 'REVERSED'::text])))
);
CREATE INDEX account_credit_due ON account_credit USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX account_credit_newest ON account_credit USING btree (status, received_at DESC, credit_id);
CREATE UNIQUE INDEX account_credit_of_attempt ON account_credit USING btree (merchant_id, environment, attempt_id, (
CASE
    WHEN (status = 'REVERSED'::text) THEN credit_id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (attempt_id IS NOT NULL);
CREATE INDEX account_credit_of_id ON account_credit USING btree (environment, known_as);
grant insert, select, update on account_credit to florin_system;

create table account_debit (
  environment text not null,
  entry_key text not null,
  end_to_end_id text,
  amount_pence bigint not null,
  bank_reference text,
  booked_on date,
  tries integer default 0 not null,
  last_error text,
  credit_id uuid,
  due_at timestamp with time zone default clock_timestamp(),
  received_at timestamp with time zone default clock_timestamp() not null,
  constraint account_debit_pkey PRIMARY KEY (environment, entry_key),
  constraint account_debit_amount_pence_check CHECK ((amount_pence > 0)),
  constraint account_debit_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX account_debit_due ON account_debit USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX account_debit_of_credit ON account_debit USING btree (credit_id) WHERE (credit_id IS NOT NULL);
CREATE INDEX account_debit_of_payment ON account_debit USING btree (environment, end_to_end_id);
grant insert, select, update on account_debit to florin_system;

create table amount_part_setting (
  merchant_id uuid not null,
  environment text not null,
  tax_percentage numeric(5,2) not null,
  service_percentage numeric(5,2) not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint amount_part_setting_pkey PRIMARY KEY (merchant_id, environment),
  constraint amount_part_setting_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint amount_part_setting_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint amount_part_setting_service_percentage_check CHECK (((service_percentage >= (0)::numeric) AND (service_percentage <= (100)::numeric))),
  constraint amount_part_setting_tax_percentage_check CHECK (((tax_percentage >= (0)::numeric) AND (tax_percentage <= (100)::numeric)))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on amount_part_setting to florin_system;
grant insert, select, update on amount_part_setting to florin_tenant;

create table attempt (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  payment_request_id uuid not null,
  "position" integer not null,
  payment_idempotency_id text not null,
  method text not null,
  status text not null,
  step text not null,
  institution_id text not null,
  share_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  amount_pence bigint not null,
  tip_pence bigint default 0 not null,
  tax_pence bigint,
  service_pence bigint,
  creditor jsonb not null,
  settles_to text not null,
  rail_state_encrypted bytea,
  rail_reference text,
  tracing_id text,
  bank_payment_reference text,
  oauth_state text,
  iso_status_code text,
  iso_status_name text,
  iso_status_at timestamp with time zone,
  is_settled boolean default false not null,
  error_code text,
  error_description text,
  ended_reason text,
  payer_encrypted bytea,
  consumer_name text,
  application_user_id uuid,
  payment_device jsonb,
  authorise_by_business timestamp with time zone not null,
  authorise_by timestamp with time zone not null,
  leased_until timestamp with time zone,
  submitted_at timestamp with time zone,
  operator_alerted_at timestamp with time zone,
  account_key text,
  card_id uuid,
  capture_type text,
  initiator text,
  card_facts jsonb,
  authentication jsonb,
  last_decline jsonb,
  authorisation_expires_business_at timestamp with time zone,
  authorisation_expiry_source text,
  capture_business_at timestamp with time zone,
  capture_at timestamp with time zone,
  cancelled_reason_code text,
  cancelled_reason_description text,
  intent_key text,
  disputes jsonb,
  refunds jsonb,
  refunded_pence bigint default 0 not null,
  refund_reserved_pence bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint attempt_pkey PRIMARY KEY (merchant_id, environment, attempt_id),
  constraint attempt_merchant_id_environment_payment_idempotency_id_key UNIQUE (merchant_id, environment, payment_idempotency_id),
  constraint attempt_merchant_id_environment_payment_request_id_fkey FOREIGN KEY (merchant_id, environment, payment_request_id) REFERENCES payment_request(merchant_id, environment, payment_request_id),
  constraint attempt_amount_pence_check CHECK ((amount_pence > 0)),
  constraint attempt_authorisation_expiry_source_check CHECK ((authorisation_expiry_source = ANY (ARRAY['PROCESSOR'::text, 'TABLE'::text]))),
  constraint attempt_capture_type_check CHECK ((capture_type = ANY (ARRAY['AUTO_CAPTURE'::text, 'MANUAL_CAPTURE'::text, 'CAPTURE_BEFORE_EXPIRY'::text]))),
  constraint attempt_card_account CHECK (((method = 'CARD'::text) = (account_key IS NOT NULL))),
  constraint attempt_check CHECK (((method = 'CARD'::text) = ((capture_type IS NOT NULL) AND (initiator IS NOT NULL)))),
  constraint attempt_check1 CHECK (((capture_at IS NULL) OR (status = 'AUTHORIZED'::text))),
  constraint attempt_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint attempt_initiator_check CHECK ((initiator = ANY (ARRAY['MERCHANT'::text, 'CUSTOMER'::text]))),
  constraint attempt_method_check CHECK ((method = ANY (ARRAY['PAY_BY_BANK'::text, 'CARD'::text]))),
  constraint attempt_payment_idempotency_id_check CHECK ((length(payment_idempotency_id) <= 31)),
  constraint attempt_refund_reserved_pence_check CHECK ((refund_reserved_pence >= 0)),
  constraint attempt_refunded_pence_check CHECK ((refunded_pence >= 0)),
  constraint attempt_refunds_within_payment CHECK (((refunded_pence + refund_reserved_pence) <= (amount_pence + tip_pence))),
  constraint attempt_service_pence_check CHECK ((service_pence >= 0)),
  constraint attempt_settles_to_check CHECK ((settles_to = ANY (ARRAY['COLLECTING_ACCOUNT'::text, 'STORE_ACCOUNT'::text, 'PROCESSOR'::text]))),
  constraint attempt_status_check CHECK ((status = ANY (ARRAY['AWAITING_AUTHORIZATION'::text, 'PENDING'::text, 'AUTHORIZED'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint attempt_step_check CHECK ((step = ANY (ARRAY['AT_BANK'::text, 'EXCHANGING'::text, 'SUBMITTING'::text, 'SUBMITTED'::text, 'ENDED'::text, 'OPENING_PAGE'::text, 'AT_PROCESSOR'::text, 'CHARGING'::text, 'STEP_UP'::text, 'AUTHORISED'::text, 'CAPTURING'::text, 'CANCELLING'::text, 'PAID_TOO_LATE'::text, 'REFUNDING_LATE'::text]))),
  constraint attempt_tax_pence_check CHECK ((tax_pence >= 0)),
  constraint attempt_tip_pence_check CHECK ((tip_pence >= 0))
) with (fillfactor=80);
CREATE INDEX attempt_authorise_by ON attempt USING btree (environment, authorise_by) WHERE (status = 'AWAITING_AUTHORIZATION'::text);
CREATE INDEX attempt_by_bank_payment ON attempt USING btree (environment, bank_payment_reference, institution_id) WHERE (bank_payment_reference IS NOT NULL);
CREATE INDEX attempt_by_credit ON attempt USING btree (environment, ((amount_pence + tip_pence)), submitted_at) WHERE ((settles_to = 'COLLECTING_ACCOUNT'::text) AND (status = ANY (ARRAY['PENDING'::text, 'COMPLETED'::text])));
CREATE INDEX attempt_capture ON attempt USING btree (environment, capture_at) WHERE (capture_at IS NOT NULL);
CREATE INDEX attempt_disputed ON attempt USING btree (merchant_id, environment, created_at, attempt_id) WHERE (disputes IS NOT NULL);
CREATE INDEX attempt_disputed_by_amount ON attempt USING btree (merchant_id, environment, contested_pence(disputes), attempt_id) WHERE (disputes IS NOT NULL);
CREATE INDEX attempt_in_progress ON attempt USING btree (leased_until) WHERE (step = 'EXCHANGING'::text);
CREATE INDEX attempt_named_by_processor ON attempt USING btree (attempt_id) WHERE (method = 'CARD'::text);
CREATE INDEX attempt_of_card_payment ON attempt USING btree (rail_reference) WHERE ((method = 'CARD'::text) AND (rail_reference IS NOT NULL));
CREATE UNIQUE INDEX attempt_of_request ON attempt USING btree (merchant_id, environment, payment_request_id, "position");
CREATE UNIQUE INDEX attempt_one_pending_or_paid ON attempt USING btree (merchant_id, environment, payment_request_id, share_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'AUTHORIZED'::text, 'COMPLETED'::text]));
CREATE INDEX attempt_to_alert ON attempt USING btree (environment, updated_at) WHERE ((ended_reason = 'BLOCKED'::text) AND (operator_alerted_at IS NULL));
CREATE TRIGGER attempt_outcome_noted AFTER UPDATE ON attempt FOR EACH ROW WHEN (((new.disputes IS NOT NULL) OR (new.refunds IS NOT NULL) OR ((((old.refunded_pence + old.refund_reserved_pence) + new.refunded_pence) + new.refund_reserved_pence) > 0))) EXECUTE FUNCTION note_attempt_outcome();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on attempt to florin_system;
grant insert, select, update on attempt to florin_tenant;

create table attempt_poll (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  payment_request_id uuid not null,
  method text not null,
  institution_id text not null,
  poll_count integer default 0 not null,
  poll_business_at timestamp with time zone not null,
  poll_at timestamp with time zone not null,
  watch_from timestamp with time zone not null,
  leased_until timestamp with time zone,
  hinted_at timestamp with time zone,
  constraint attempt_poll_pkey PRIMARY KEY (merchant_id, environment, attempt_id),
  constraint attempt_poll_check CHECK ((watch_from <= poll_at)),
  constraint attempt_poll_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint attempt_poll_method_check CHECK ((method = ANY (ARRAY['PAY_BY_BANK'::text, 'CARD'::text])))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX attempt_poll_watch ON attempt_poll USING btree (method, environment, watch_from);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on attempt_poll to florin_system;
grant delete, insert, select, update on attempt_poll to florin_tenant;

create table audit_head (
  is_head boolean default true not null,
  "position" bigint not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (is_head),
  constraint audit_head_hash_check CHECK ((length(hash) = 32)),
  constraint audit_head_is_head_check CHECK (is_head)
) with (fillfactor=10);
grant select on audit_head to florin_system;

create table audit_record (
  "position" bigint not null,
  at timestamp with time zone not null,
  kind text not null,
  record_id uuid not null,
  channel text,
  actor_kind text,
  actor_id uuid,
  actor text,
  address text,
  action text,
  merchant_id uuid,
  environment text,
  detail text not null,
  outcome text,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_record_pkey PRIMARY KEY ("position"),
  constraint audit_record_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['OPERATOR'::text, 'MEMBER'::text, 'PERSON'::text, 'SECRET'::text]))),
  constraint audit_record_channel_check CHECK ((channel = ANY (ARRAY['API'::text, 'COMMAND'::text, 'DASHBOARD'::text]))),
  constraint audit_record_check CHECK (((kind = 'OUTCOME'::text) OR (num_nulls(channel, actor_kind, address, action) = 0))),
  constraint audit_record_check1 CHECK (((kind = 'ACT'::text) OR (outcome IS NOT NULL))),
  constraint audit_record_detail_check CHECK ((jsonb_typeof((detail)::jsonb) = 'object'::text)),
  constraint audit_record_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint audit_record_hash_check CHECK ((length(hash) = 32)),
  constraint audit_record_kind_check CHECK ((kind = ANY (ARRAY['ACT'::text, 'OUTCOME'::text]))),
  constraint audit_record_position_check CHECK (("position" > 0)),
  constraint audit_record_previous_hash_check CHECK ((length(previous_hash) = 32))
);
CREATE INDEX audit_record_acts ON audit_record USING btree ("position" DESC) WHERE (kind = 'ACT'::text);
CREATE UNIQUE INDEX audit_record_of_act ON audit_record USING btree (record_id, kind);
CREATE INDEX audit_record_of_actor ON audit_record USING btree (actor_id, "position" DESC) WHERE (kind = 'ACT'::text);
CREATE INDEX audit_record_of_merchant ON audit_record USING btree (merchant_id, "position" DESC) WHERE (kind = 'ACT'::text);
CREATE TRIGGER audit_record_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_record FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_record_chained BEFORE INSERT ON audit_record FOR EACH ROW EXECUTE FUNCTION chain_audit_record();
grant insert, select on audit_record to florin_system;

create table audit_seal (
  "position" bigint not null,
  sealed_at timestamp with time zone not null,
  hash bytea not null,
  signature bytea not null,
  constraint audit_seal_pkey PRIMARY KEY ("position"),
  constraint audit_seal_position_fkey FOREIGN KEY ("position") REFERENCES audit_record("position"),
  constraint audit_seal_hash_check CHECK ((length(hash) = 32)),
  constraint audit_seal_signature_check CHECK ((length(signature) = 32))
);
CREATE TRIGGER audit_seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
grant insert, select on audit_seal to florin_system;

create table bank_account (
  merchant_id uuid not null,
  environment text not null,
  account_id uuid not null,
  institution_id text not null,
  bank_name text not null,
  sort_code text,
  account_number text,
  currency text not null,
  balance numeric(20,5),
  balance_currency text,
  refreshed_at timestamp with time zone,
  changes_from timestamp with time zone,
  read_since timestamp with time zone,
  refused_at timestamp with time zone,
  is_leaving boolean default false not null,
  created_at timestamp with time zone not null,
  constraint bank_account_pkey PRIMARY KEY (merchant_id, environment, account_id),
  constraint bank_account_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint bank_account_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX bank_account_number ON bank_account USING btree (merchant_id, environment, sort_code, account_number);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_account to florin_system;
grant delete, insert, select, update on bank_account to florin_tenant;

create table bank_account_link (
  merchant_id uuid not null,
  environment text not null,
  authorisation_id uuid not null,
  account_id uuid not null,
  bank_account_reference text not null,
  "position" smallint not null,
  constraint bank_account_link_pkey PRIMARY KEY (merchant_id, environment, authorisation_id, account_id),
  constraint bank_account_link_merchant_id_environment_account_id_fkey FOREIGN KEY (merchant_id, environment, account_id) REFERENCES bank_account(merchant_id, environment, account_id),
  constraint bank_account_link_merchant_id_environment_authorisation_id_fkey FOREIGN KEY (merchant_id, environment, authorisation_id) REFERENCES bank_authorisation(merchant_id, environment, authorisation_id),
  constraint bank_account_link_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX bank_account_link_account ON bank_account_link USING btree (merchant_id, environment, account_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_account_link to florin_system;
grant delete, insert, select, update on bank_account_link to florin_tenant;

create table bank_authorisation (
  merchant_id uuid not null,
  environment text not null,
  authorisation_id uuid not null,
  status text not null,
  version integer default 1 not null,
  redirect_url text not null,
  callback_params jsonb not null,
  secret_id uuid not null,
  request_id uuid,
  institution_id text,
  bank_name text,
  oauth_state text,
  starts integer default 0 not null,
  rail_state_encrypted bytea,
  consent_reference text,
  ended_reason text,
  link_expires_at timestamp with time zone not null,
  reconfirm_by timestamp with time zone,
  due_business_at timestamp with time zone,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  refresh_due_at timestamp with time zone,
  refresh_leased_until timestamp with time zone,
  refresh_failures integer default 0 not null,
  hinted_at timestamp with time zone,
  refresh_claims integer default 0 not null,
  access_ends_at timestamp with time zone,
  removal_due_at timestamp with time zone,
  removal_leased_until timestamp with time zone,
  removal_failures integer default 0 not null,
  removal_error text,
  forget_due_at timestamp with time zone,
  linked_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bank_authorisation_pkey PRIMARY KEY (merchant_id, environment, authorisation_id),
  constraint bank_authorisation_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint bank_authorisation_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint bank_authorisation_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'AT_BANK'::text, 'EXCHANGING'::text, 'LINKED'::text, 'RECONFIRMATION_MISSED'::text, 'LOGIN_NEEDED'::text, 'FAILED'::text, 'CANCELLED'::text, 'EXPIRED'::text, 'REVOKED'::text])))
);
CREATE INDEX bank_authorisation_by_consent ON bank_authorisation USING btree (environment, institution_id, consent_reference) WHERE (status = 'LINKED'::text);
CREATE INDEX bank_authorisation_due ON bank_authorisation USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX bank_authorisation_failing ON bank_authorisation USING btree (refresh_due_at) WHERE (refresh_failures >= 6);
CREATE INDEX bank_authorisation_forget ON bank_authorisation USING btree (forget_due_at) WHERE (forget_due_at IS NOT NULL);
CREATE INDEX bank_authorisation_lease ON bank_authorisation USING btree (environment, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX bank_authorisation_live ON bank_authorisation USING btree (merchant_id, environment, authorisation_id) WHERE (ended_at IS NULL);
CREATE INDEX bank_authorisation_newest ON bank_authorisation USING btree (merchant_id, environment, created_at, authorisation_id);
CREATE INDEX bank_authorisation_refresh ON bank_authorisation USING btree (environment, refresh_due_at) WHERE (refresh_due_at IS NOT NULL);
CREATE INDEX bank_authorisation_removal ON bank_authorisation USING btree (environment, removal_due_at) WHERE (removal_due_at IS NOT NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_authorisation to florin_system;
grant insert, select, update on bank_authorisation to florin_tenant;

create table bank_authorisation_history (
  merchant_id uuid not null,
  environment text not null,
  authorisation_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  constraint bank_authorisation_history_pkey PRIMARY KEY (merchant_id, environment, authorisation_id, version),
  constraint bank_authorisation_history_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE TRIGGER bank_authorisation_history_append_only BEFORE DELETE OR UPDATE ON bank_authorisation_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_authorisation_history to florin_system;
grant insert, select on bank_authorisation_history to florin_tenant;

create table bank_balance (
  environment text not null,
  balance_pence bigint not null,
  reported_at timestamp with time zone not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  difference_pence bigint,
  difference_since timestamp with time zone,
  checked_at timestamp with time zone,
  named_pence bigint default 0 not null,
  reconciled_at timestamp with time zone,
  reconciled_pence bigint,
  constraint bank_balance_pkey PRIMARY KEY (environment),
  constraint bank_balance_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
grant insert, select, update on bank_balance to florin_system;

create table bank_message (
  environment text not null,
  reference text not null,
  kind text not null,
  message_id text,
  answers text,
  quarantine_reason text,
  text text,
  received_at timestamp with time zone default clock_timestamp() not null,
  tries integer default 0 not null,
  last_error text,
  message_encrypted bytea,
  again_at timestamp with time zone,
  again_by text,
  constraint bank_message_pkey PRIMARY KEY (environment, reference),
  constraint bank_message_check CHECK (((last_error IS NULL) OR (quarantine_reason IS NULL))),
  constraint bank_message_check1 CHECK (((message_encrypted IS NULL) OR (quarantine_reason IS NOT NULL))),
  constraint bank_message_check2 CHECK (((again_at IS NULL) OR (message_encrypted IS NOT NULL))),
  constraint bank_message_check3 CHECK (((again_by IS NULL) = (again_at IS NULL))),
  constraint bank_message_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint bank_message_kind_check CHECK ((kind = ANY (ARRAY['STATUS_REPORT'::text, 'ACCOUNT_REPORT'::text, 'UNREADABLE'::text])))
);
CREATE INDEX bank_message_again ON bank_message USING btree (environment, again_at) WHERE (again_at IS NOT NULL);
CREATE INDEX bank_message_id ON bank_message USING btree (environment, message_id);
CREATE INDEX bank_message_kept ON bank_message USING btree (received_at) WHERE (message_encrypted IS NOT NULL);
CREATE INDEX bank_message_quarantined ON bank_message USING btree (environment, received_at) WHERE (quarantine_reason IS NOT NULL);
grant insert, select, update on bank_message to florin_system;

create table bank_notice (
  environment text not null,
  noticed bigint not null,
  followed bigint default 0 not null,
  noticed_at timestamp with time zone not null,
  constraint bank_notice_pkey PRIMARY KEY (environment),
  constraint bank_notice_check CHECK ((followed <= noticed)),
  constraint bank_notice_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX bank_notice_due ON bank_notice USING btree (noticed_at) WHERE (noticed > followed);
grant insert, select, update on bank_notice to florin_system;

create table bank_transaction (
  merchant_id uuid not null,
  environment text not null,
  account_id uuid not null,
  transaction_id text not null,
  booked_at timestamp with time zone not null,
  type text not null,
  status text not null,
  is_mutable boolean not null,
  amount numeric(20,5) not null,
  currency text not null,
  description text,
  reference text,
  merchant_name text,
  category text,
  payer jsonb,
  payee jsonb,
  balance numeric(20,5),
  balance_currency text,
  seen_at timestamp with time zone not null,
  payout_reference text generated always as ("substring"(upper(((COALESCE(reference, ''::text) || ' '::text) || COALESCE(description, ''::text))), 'FPY[0-9A-F]{11}'::text)) stored,
  constraint bank_transaction_pkey PRIMARY KEY (merchant_id, environment, account_id, transaction_id),
  constraint bank_transaction_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint bank_transaction_status_check CHECK ((status = ANY (ARRAY['BOOKED'::text, 'PENDING'::text]))),
  constraint bank_transaction_type_check CHECK ((type = ANY (ARRAY['CREDIT'::text, 'DEBIT'::text])))
);
CREATE INDEX bank_transaction_newest ON bank_transaction USING btree (merchant_id, environment, account_id, booked_at DESC, transaction_id DESC);
CREATE INDEX bank_transaction_payout ON bank_transaction USING btree (merchant_id, environment, payout_reference) WHERE (payout_reference IS NOT NULL);
CREATE INDEX bank_transaction_pending ON bank_transaction USING btree (merchant_id, environment, account_id) WHERE (status = 'PENDING'::text);
CREATE TRIGGER bank_transaction_deleted AFTER DELETE ON bank_transaction REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_bank_transactions();
CREATE TRIGGER bank_transaction_inserted AFTER INSERT ON bank_transaction REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_bank_transactions();
CREATE TRIGGER bank_transaction_moved AFTER UPDATE ON bank_transaction REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION move_bank_transactions();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_transaction to florin_system;
grant delete, insert, select, update on bank_transaction to florin_tenant;

create table bank_transaction_day (
  merchant_id uuid not null,
  environment text not null,
  account_id uuid not null,
  day date not null,
  transactions integer not null,
  constraint bank_transaction_day_pkey PRIMARY KEY (merchant_id, environment, account_id, day),
  constraint bank_transaction_day_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on bank_transaction_day to florin_system;
grant delete, insert, select, update on bank_transaction_day to florin_tenant;

create table booking_mention (
  environment text not null,
  digest text not null,
  list text not null,
  message_id text not null,
  first_ordinal integer not null,
  bookings integer not null,
  constraint booking_mention_pkey PRIMARY KEY (environment, digest, list, message_id),
  constraint booking_mention_environment_digest_list_first_ordinal_key UNIQUE (environment, digest, list, first_ordinal),
  constraint booking_mention_bookings_check CHECK ((bookings > 0)),
  constraint booking_mention_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint booking_mention_list_check CHECK ((list = ANY (ARRAY['STATEMENT'::text, 'NOTIFICATION'::text])))
);
grant insert, select on booking_mention to florin_system;

create table card (
  merchant_id uuid not null,
  environment text not null,
  card_id uuid not null,
  customer_id uuid not null,
  account_key text not null,
  reference_id uuid not null,
  reference_encrypted bytea,
  fingerprint bytea,
  cardholder_name text,
  brand text not null,
  funding text not null,
  category text,
  country text,
  last_four text not null,
  expiry text not null,
  recurrence_type text default 'unscheduled'::text not null,
  network_transaction_id text,
  saved_by_attempt_id uuid not null,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint card_pkey PRIMARY KEY (merchant_id, environment, card_id),
  constraint card_merchant_id_environment_customer_id_fkey FOREIGN KEY (merchant_id, environment, customer_id) REFERENCES customer(merchant_id, environment, customer_id),
  constraint card_category_check CHECK ((category = ANY (ARRAY['consumer'::text, 'commercial'::text]))),
  constraint card_check CHECK (((deleted_at IS NULL) = (reference_encrypted IS NOT NULL))),
  constraint card_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint card_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint card_funding_check CHECK ((funding = ANY (ARRAY['CREDIT'::text, 'DEBIT'::text, 'PREPAID'::text, 'UNKNOWN'::text]))),
  constraint card_last_four_check CHECK ((last_four ~ '^\d{0,4}$'::text)),
  constraint card_recurrence_type_check CHECK ((recurrence_type = ANY (ARRAY['unscheduled'::text, 'recurring'::text, 'installment'::text])))
);
CREATE INDEX card_newest ON card USING btree (merchant_id, environment, customer_id, created_at DESC, card_id);
CREATE UNIQUE INDEX card_once ON card USING btree (merchant_id, environment, customer_id, fingerprint) WHERE (deleted_at IS NULL);
CREATE TRIGGER card_reference_replaced AFTER UPDATE OF reference_id ON card FOR EACH ROW WHEN ((old.reference_id <> new.reference_id)) EXECUTE FUNCTION detach_replaced_reference();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card to florin_system;
grant delete, insert, select, update on card to florin_tenant;

create table card_account (
  merchant_id uuid not null,
  environment text not null,
  account_key text not null,
  secret_key_encrypted bytea not null,
  webhook_secret_encrypted bytea not null,
  publishable_key text,
  updated_at timestamp with time zone default clock_timestamp() not null,
  chosen_at timestamp with time zone,
  constraint card_account_pkey PRIMARY KEY (merchant_id, environment, account_key),
  constraint card_account_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint card_account_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card_account to florin_system;
grant delete, insert, select, update on card_account to florin_tenant;

create table card_authentication (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  card_id uuid not null,
  customer_id uuid not null,
  result text,
  flow text,
  version text,
  eci text,
  ds_trans_id text,
  network_transaction_id text,
  amount_pence bigint not null,
  authenticated_at timestamp with time zone not null,
  written_at timestamp with time zone default clock_timestamp() not null,
  constraint card_authentication_pkey PRIMARY KEY (merchant_id, environment, attempt_id),
  constraint card_authentication_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card_authentication to florin_system;
grant insert, select on card_authentication to florin_tenant;

create table card_charge_guard (
  merchant_id uuid not null,
  environment text not null,
  customer_id uuid not null,
  order_id text not null,
  amount_pence bigint not null,
  payment_request_id uuid not null,
  charged_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  constraint card_charge_guard_pkey PRIMARY KEY (merchant_id, environment, customer_id, order_id, amount_pence),
  constraint card_charge_guard_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint card_charge_guard_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX card_charge_guard_age ON card_charge_guard USING btree (written_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card_charge_guard to florin_system;
grant delete, insert, select, update on card_charge_guard to florin_tenant;

create table card_customer (
  merchant_id uuid not null,
  environment text not null,
  customer_id uuid not null,
  account_key text not null,
  reference_encrypted bytea not null,
  written_at timestamp with time zone default clock_timestamp() not null,
  constraint card_customer_pkey PRIMARY KEY (merchant_id, environment, customer_id, account_key),
  constraint card_customer_merchant_id_environment_customer_id_fkey FOREIGN KEY (merchant_id, environment, customer_id) REFERENCES customer(merchant_id, environment, customer_id),
  constraint card_customer_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card_customer to florin_system;
grant delete, insert, select on card_customer to florin_tenant;

create table card_detachment (
  merchant_id uuid not null,
  environment text not null,
  kind text default 'CARD'::text not null,
  reference_id uuid not null,
  customer_id uuid not null,
  account_key text not null,
  reference_encrypted bytea,
  reason text not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  last_error text,
  written_at timestamp with time zone default clock_timestamp() not null,
  done_at timestamp with time zone,
  outcome text,
  constraint card_detachment_pkey PRIMARY KEY (merchant_id, environment, reference_id),
  constraint card_detachment_check CHECK (((done_at IS NULL) = (reference_encrypted IS NOT NULL))),
  constraint card_detachment_check1 CHECK (((done_at IS NULL) = (outcome IS NULL))),
  constraint card_detachment_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint card_detachment_kind_check CHECK ((kind = ANY (ARRAY['CARD'::text, 'CUSTOMER'::text]))),
  constraint card_detachment_outcome_check CHECK ((outcome = ANY (ARRAY['DETACHED'::text, 'STILL_SAVED'::text, 'DELETED'::text]))),
  constraint card_detachment_reason_check CHECK ((reason = ANY (ARRAY['DELETED'::text, 'CUSTOMER_DELETED'::text, 'REPLACED'::text, 'NOT_SAVED'::text, 'NOT_AUTHENTICATED'::text])))
);
CREATE INDEX card_detachment_done ON card_detachment USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX card_detachment_due ON card_detachment USING btree (environment, due_at) WHERE (done_at IS NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on card_detachment to florin_system;
grant insert, select on card_detachment to florin_tenant;

create table cell (
  cell_id uuid default gen_random_uuid() not null,
  address text,
  constraint cell_pkey PRIMARY KEY (cell_id),
  constraint cell_address_key UNIQUE (address)
);
CREATE UNIQUE INDEX cell_this ON cell USING btree ((true)) WHERE (address IS NULL);
grant insert, select, update on cell to florin_system;
grant select on cell to florin_tenant;

create table cell_move (
  merchant_id uuid not null,
  move_id uuid not null,
  version integer not null,
  status text not null,
  other_cell_id uuid not null,
  pauses integer default 0 not null,
  was_here boolean default false not null,
  is_removed boolean default false not null,
  came_at timestamp with time zone,
  began_in_epoch integer default newest_epoch() not null,
  moved_by text not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint cell_move_pkey PRIMARY KEY (merchant_id),
  constraint cell_move_other_cell_id_fkey FOREIGN KEY (other_cell_id) REFERENCES cell(cell_id),
  constraint cell_move_status_check CHECK ((status = ANY (ARRAY['PREPARING'::text, 'COPYING'::text, 'PAUSED'::text, 'GONE'::text, 'CANCELLED'::text, 'ARRIVING'::text, 'HERE'::text, 'UNDONE'::text]))),
  constraint cell_move_version_check CHECK ((version > 0))
);
CREATE INDEX cell_move_away ON cell_move USING btree (other_cell_id) WHERE (status = ANY (ARRAY['GONE'::text, 'ARRIVING'::text, 'UNDONE'::text]));
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on cell_move to florin_system;
grant select on cell_move to florin_tenant;

create table cluster_epoch (
  epoch integer not null,
  system_identifier bigint not null,
  timeline integer not null,
  schema_oid oid not null,
  raised_by bigint not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  confirmed_at timestamp with time zone,
  confirmed_by text,
  constraint cluster_epoch_pkey PRIMARY KEY (epoch)
);
CREATE INDEX cluster_epoch_unconfirmed ON cluster_epoch USING btree (epoch) WHERE (confirmed_at IS NULL);
grant select on cluster_epoch to florin_system;
grant select on cluster_epoch to florin_tenant;

create table collecting_account (
  environment text not null,
  sort_code character(6) not null,
  account_number character(8) not null,
  account_name text not null,
  constraint collecting_account_pkey PRIMARY KEY (environment),
  constraint collecting_account_account_name_check CHECK (((length(account_name) >= 1) AND (length(account_name) <= 40))),
  constraint collecting_account_account_number_check CHECK ((account_number ~ '^\d{8}$'::text)),
  constraint collecting_account_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint collecting_account_sort_code_check CHECK ((sort_code ~ '^\d{6}$'::text))
);
grant insert, select, update on collecting_account to florin_system;
grant select on collecting_account to florin_tenant;

create table customer (
  merchant_id uuid not null,
  environment text not null,
  customer_id uuid not null,
  full_name text not null,
  email text,
  email_folded text generated always as (lower(email)) stored,
  type text default 'INDIVIDUAL'::text not null,
  phone_country_code text,
  phone_number text,
  address text,
  city text,
  postcode text,
  vat_number text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint customer_pkey PRIMARY KEY (merchant_id, environment, customer_id),
  constraint customer_check CHECK (((email IS NOT NULL) OR (phone_number IS NOT NULL))),
  constraint customer_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint customer_full_name_check CHECK (((length(full_name) >= 2) AND (length(full_name) <= 30))),
  constraint customer_type_check CHECK ((type = ANY (ARRAY['INDIVIDUAL'::text, 'BUSINESS'::text])))
);
CREATE UNIQUE INDEX customer_email_once ON customer USING btree (merchant_id, environment, email_folded) WHERE (email_folded IS NOT NULL);
CREATE INDEX customer_newest ON customer USING btree (merchant_id, environment, created_at DESC, customer_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on customer to florin_system;
grant delete, insert, select, update on customer to florin_tenant;

create table delivery (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  delivery_id bigint generated always as identity not null,
  event_id uuid not null,
  event_written_at timestamp with time zone default now() not null,
  kind text default 'LIVE'::text not null,
  state text default 'PENDING'::text not null,
  attempts smallint default 0 not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  due_business_at timestamp with time zone not null,
  deadline_business_at timestamp with time zone not null,
  last_status smallint,
  last_error text,
  completed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint delivery_pkey PRIMARY KEY (merchant_id, environment, endpoint_id, delivery_id, event_written_at),
  constraint delivery_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint delivery_kind_check CHECK ((kind = ANY (ARRAY['LIVE'::text, 'REPLAY'::text, 'TEST'::text]))),
  constraint delivery_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'EXHAUSTED'::text, 'CANCELLED'::text])))
) partition by range (event_written_at);
CREATE INDEX delivery_given_up ON ONLY delivery USING btree (merchant_id, environment, endpoint_id, delivery_id) WHERE (state = 'EXHAUSTED'::text);
CREATE INDEX delivery_of_event ON ONLY delivery USING btree (event_id, endpoint_id);
CREATE UNIQUE INDEX delivery_one_replay ON ONLY delivery USING btree (merchant_id, environment, event_id, endpoint_id, event_written_at) WHERE ((state = 'PENDING'::text) AND (kind = 'REPLAY'::text));
CREATE INDEX delivery_queue ON ONLY delivery USING btree (endpoint_id, due_at) WHERE (state = 'PENDING'::text);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on delivery to florin_system;
grant insert, select, update on delivery to florin_tenant;

create table dispute_answer (
  merchant_id uuid not null,
  environment text not null,
  answer_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  dispute_reference text not null,
  status text not null,
  version integer default 1 not null,
  evidence jsonb not null,
  files jsonb not null,
  refusal text,
  sent_by uuid,
  sent_by_name text,
  sent_at timestamp with time zone,
  answers_inquiry boolean default false not null,
  submissions_before integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  due_at timestamp with time zone,
  constraint dispute_answer_pkey PRIMARY KEY (merchant_id, environment, answer_id),
  constraint dispute_answer_merchant_id_environment_dispute_reference_key UNIQUE (merchant_id, environment, dispute_reference),
  constraint dispute_answer_merchant_id_environment_attempt_id_fkey FOREIGN KEY (merchant_id, environment, attempt_id) REFERENCES attempt(merchant_id, environment, attempt_id),
  constraint dispute_answer_check CHECK (((due_at IS NOT NULL) = (status = ANY (ARRAY['SUBMITTING'::text, 'ACCEPTING'::text])))),
  constraint dispute_answer_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint dispute_answer_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'SUBMITTING'::text, 'SUBMITTED'::text, 'ACCEPTING'::text, 'ACCEPTED'::text])))
);
CREATE INDEX dispute_answer_due ON dispute_answer USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX dispute_answer_of_attempt ON dispute_answer USING btree (merchant_id, environment, attempt_id);
CREATE INDEX dispute_answer_of_payment ON dispute_answer USING btree (merchant_id, environment, payment_request_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on dispute_answer to florin_system;
grant insert, select, update on dispute_answer to florin_tenant;

create table dispute_answer_history (
  merchant_id uuid not null,
  environment text not null,
  answer_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  person_id uuid,
  person_name text,
  detail text,
  evidence jsonb,
  files jsonb,
  occurred_at timestamp with time zone not null,
  constraint dispute_answer_history_pkey PRIMARY KEY (merchant_id, environment, answer_id, version),
  constraint dispute_answer_history_merchant_id_environment_answer_id_fkey FOREIGN KEY (merchant_id, environment, answer_id) REFERENCES dispute_answer(merchant_id, environment, answer_id)
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on dispute_answer_history to florin_system;
grant insert, select on dispute_answer_history to florin_tenant;

create table erasure (
  merchant_id uuid not null,
  environment text not null,
  customer_id uuid not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  done_at timestamp with time zone,
  constraint erasure_pkey PRIMARY KEY (merchant_id, environment, customer_id),
  constraint erasure_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint erasure_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX erasure_done ON erasure USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX erasure_due ON erasure USING btree (environment, due_at) WHERE (done_at IS NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on erasure to florin_system;
grant insert, select on erasure to florin_tenant;

create table event (
  merchant_id uuid not null,
  environment text not null,
  event_id uuid not null,
  event_type text not null,
  resource_id uuid not null,
  sequence integer not null,
  dedupe_key text not null,
  signing_secret_id uuid,
  is_test boolean default false not null,
  is_repeat boolean default false not null,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  written_in xid8 default written_in() not null,
  constraint event_pkey PRIMARY KEY (merchant_id, environment, event_id, written_at),
  constraint event_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint event_event_type_check CHECK ((event_type = ANY (ARRAY['PAYMENTS_STATUS'::text, 'EXPIRED_STATUS'::text, 'REFUND_STATUS'::text, 'POS_PAYMENT_STATUS'::text])))
) partition by range (written_at);
CREATE INDEX event_cursor ON ONLY event USING btree (merchant_id, environment, written_in, event_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on event to florin_system;
grant insert, select on event to florin_tenant;

create table event_body (
  merchant_id uuid not null,
  environment text not null,
  event_id uuid not null,
  body text not null,
  event_type text,
  sequence integer,
  signing_secret_id uuid,
  request_id uuid,
  traceparent text,
  written_at timestamp with time zone default now() not null,
  constraint event_body_pkey PRIMARY KEY (merchant_id, environment, event_id, written_at)
) partition by range (written_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on event_body to florin_system;
grant insert, select on event_body to florin_tenant;

create table failed_job (
  job text not null,
  failures integer default 1 not null,
  failing_since timestamp with time zone default clock_timestamp() not null,
  last_error text not null,
  hurried_at timestamp with time zone,
  constraint failed_job_pkey PRIMARY KEY (job)
);
grant delete, insert, select, update on failed_job to florin_system;

create table health_probe (
  probe_id integer not null,
  written_at timestamp with time zone not null,
  constraint health_probe_pkey PRIMARY KEY (probe_id),
  constraint health_probe_probe_id_check CHECK ((probe_id = 1))
) with (fillfactor=50);
grant select, update on health_probe to florin_system;

create table held_payment (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  store_id uuid not null,
  amount_pence bigint not null,
  entry_key text default ''::text not null,
  until_business_at timestamp with time zone,
  constraint held_payment_pkey PRIMARY KEY (merchant_id, environment, attempt_id, entry_key),
  constraint held_payment_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint held_payment_amount_pence_check CHECK ((amount_pence > 0)),
  constraint held_payment_check CHECK (((entry_key = ''::text) = (until_business_at IS NOT NULL))),
  constraint held_payment_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on held_payment to florin_system;
grant select on held_payment to florin_tenant;

create table idempotency (
  merchant_id uuid not null,
  environment text not null,
  operation text not null,
  idempotency_key text not null,
  body_sha256 bytea not null,
  status_code smallint,
  reply text,
  leased_until timestamp with time zone,
  claimed_by uuid,
  intent text,
  written_at timestamp with time zone default now() not null,
  constraint idempotency_pkey PRIMARY KEY (merchant_id, environment, operation, idempotency_key, written_at),
  constraint idempotency_body_sha256_check CHECK ((length(body_sha256) = 32)),
  constraint idempotency_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint idempotency_idempotency_key_check CHECK (((length(idempotency_key) >= 1) AND (length(idempotency_key) <= 255)))
) partition by range (written_at);
CREATE TRIGGER idempotency_unique BEFORE INSERT ON idempotency FOR EACH ROW EXECUTE FUNCTION refuse_known_idempotency_key();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on idempotency to florin_system;
grant delete, insert, select, update on idempotency to florin_tenant;

create table invite (
  merchant_id uuid not null,
  invite_id uuid not null,
  email text not null,
  role text not null,
  in_production boolean not null,
  token_sha256 bytea not null,
  mailed_token_sha256 bytea,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  constraint invite_pkey PRIMARY KEY (merchant_id, invite_id),
  constraint invite_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint invite_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint invite_mailed_token_sha256_check CHECK ((length(mailed_token_sha256) = 32)),
  constraint invite_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'developer'::text, 'readOnly'::text]))),
  constraint invite_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX invite_by_mailed_token ON invite USING btree (mailed_token_sha256);
CREATE INDEX invite_by_token ON invite USING btree (token_sha256);
CREATE INDEX invite_ended ON invite USING btree (COALESCE(accepted_at, expires_at));
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on invite to florin_system;
grant delete, insert, select, update on invite to florin_tenant;

create table ledger_entry (
  merchant_id uuid not null,
  environment text not null,
  entry_id bigint generated always as identity not null,
  transaction_id uuid not null,
  account text not null,
  amount_pence bigint not null,
  reason text not null,
  resource_id uuid not null,
  attempt_id uuid,
  store_id uuid,
  creditor_account text,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  written_in xid8 default written_in() not null,
  constraint ledger_entry_pkey PRIMARY KEY (merchant_id, environment, entry_id, written_at),
  constraint ledger_entry_account_check CHECK ((account = ANY (ARRAY['DUE_FROM_BANK'::text, 'COLLECTING_ACCOUNT'::text, 'STORE_ACCOUNT'::text, 'SETTLED_BY_PROCESSOR'::text, 'HELD_AT_PROCESSOR'::text, 'MERCHANT_AUTHORISED'::text, 'LATE_MONEY'::text, 'BANK_DIFFERENCES'::text, 'HELD_FOR_CASES'::text, 'MERCHANT_UNSETTLED'::text, 'MERCHANT_PAYABLE'::text, 'MERCHANT_PAID_DIRECTLY'::text, 'MERCHANT_PAID_OUT'::text, 'REFUNDS_IN_TRANSIT'::text, 'RETURNS'::text, 'PAYOUTS_IN_TRANSIT'::text, 'STORE_PAID_OUT'::text, 'FEES'::text]))),
  constraint ledger_entry_amount_pence_check CHECK ((amount_pence <> 0)),
  constraint ledger_entry_creditor_account_check CHECK ((creditor_account ~ '^\d{14}$'::text)),
  constraint ledger_entry_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
) partition by range (written_at);
CREATE INDEX ledger_entry_account ON ONLY ledger_entry USING btree (merchant_id, environment, account, written_in, entry_id);
CREATE INDEX ledger_entry_resource ON ONLY ledger_entry USING btree (merchant_id, environment, resource_id);
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on ledger_entry to florin_system;
grant insert, select on ledger_entry to florin_tenant;

create table ledger_snapshot (
  merchant_id uuid not null,
  environment text not null,
  account text not null,
  balance_pence bigint not null,
  up_to_written_in xid8 not null,
  taken_at timestamp with time zone default now() not null,
  constraint ledger_snapshot_pkey PRIMARY KEY (merchant_id, environment, account, up_to_written_in),
  constraint ledger_snapshot_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on ledger_snapshot to florin_system;
grant insert, select on ledger_snapshot to florin_tenant;

create table ledger_verification (
  verified_at timestamp with time zone default clock_timestamp() not null,
  unbalanced_transactions integer not null,
  totals jsonb not null,
  snapshots_differ integer not null,
  took_ms integer not null,
  broken_invariants jsonb default '[]'::jsonb not null,
  constraint ledger_verification_pkey PRIMARY KEY (verified_at)
);
grant insert, select on ledger_verification to florin_system;

create table link_mail_day (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  mails integer not null,
  constraint link_mail_day_pkey PRIMARY KEY (merchant_id, environment, day),
  constraint link_mail_day_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint link_mail_day_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on link_mail_day to florin_system;
grant insert, select, update on link_mail_day to florin_tenant;

create table mail_allowance (
  subject text not null,
  kind text not null,
  mail_count smallint not null,
  window_ends_at timestamp with time zone not null,
  constraint mail_allowance_pkey PRIMARY KEY (subject, kind)
);
CREATE INDEX mail_allowance_ended ON mail_allowance USING btree (window_ends_at);
grant delete, insert, select, update on mail_allowance to florin_system;

create table mail_outbox (
  merchant_id uuid not null,
  environment text not null,
  mail_id bigint generated always as identity not null,
  kind text not null,
  dedupe_key text not null,
  recipient text,
  subject text not null,
  body text not null,
  body_html text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  attempts smallint default 0 not null,
  sent_at timestamp with time zone,
  last_error text,
  constraint mail_outbox_pkey PRIMARY KEY (merchant_id, environment, mail_id),
  constraint mail_outbox_merchant_id_environment_dedupe_key_key UNIQUE (merchant_id, environment, dedupe_key),
  constraint mail_outbox_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint mail_outbox_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX mail_outbox_due ON mail_outbox USING btree (environment, due_at) WHERE (sent_at IS NULL);
CREATE INDEX mail_outbox_sent ON mail_outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on mail_outbox to florin_system;
grant select on mail_outbox to florin_tenant;

create table member_notice (
  merchant_id uuid not null,
  environment text not null,
  notice_id uuid default gen_random_uuid() not null,
  kind text not null,
  detail jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint member_notice_pkey PRIMARY KEY (merchant_id, environment, notice_id),
  constraint member_notice_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint member_notice_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint member_notice_kind_check CHECK ((kind = ANY (ARRAY['PAYOUT_PAID'::text, 'PAYOUT_FAILED'::text, 'REFUND_WAITS'::text, 'REFUND_PROPOSED'::text, 'DISPUTE'::text, 'SUSPENSION'::text])))
);
CREATE INDEX member_notice_created ON member_notice USING btree (environment, created_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on member_notice to florin_system;
grant insert on member_notice to florin_tenant;

create table member_notification (
  merchant_id uuid not null,
  environment text not null,
  person_id uuid not null,
  kinds text[] not null,
  failing_hours smallint not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint member_notification_pkey PRIMARY KEY (merchant_id, environment, person_id),
  constraint member_notification_merchant_id_person_id_fkey FOREIGN KEY (merchant_id, person_id) REFERENCES membership(merchant_id, person_id) ON DELETE CASCADE,
  constraint member_notification_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint member_notification_failing_hours_check CHECK (((failing_hours >= 1) AND (failing_hours <= 72)))
);
CREATE INDEX member_notification_of_member ON member_notification USING btree (merchant_id, person_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on member_notification to florin_system;
grant delete, insert, select, update on member_notification to florin_tenant;

create table membership (
  merchant_id uuid not null,
  person_id uuid not null,
  role text not null,
  in_production boolean default false not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint membership_pkey PRIMARY KEY (merchant_id, person_id),
  constraint membership_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint membership_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint membership_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'developer'::text, 'readOnly'::text])))
);
CREATE INDEX membership_of_person ON membership USING btree (person_id);
CREATE TRIGGER membership_stays BEFORE INSERT OR DELETE OR UPDATE ON membership FOR EACH ROW EXECUTE FUNCTION require_members_stay();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on membership to florin_system;
grant delete, insert, select, update on membership to florin_tenant;

create table merchant (
  merchant_id uuid not null,
  business_name text not null,
  owner_email text,
  category_code character(4) default '5999'::bpchar not null,
  payment_limit_pence bigint default 1500000 not null,
  completed_at_settlement boolean default false not null,
  avatar_url text,
  accent_colour text,
  logo bytea,
  logo_file text,
  support_email text,
  support_phone text,
  support_url text,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint merchant_pkey PRIMARY KEY (merchant_id),
  constraint merchant_accent_colour_check CHECK ((accent_colour ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_business_name_check CHECK (((length(business_name) >= 1) AND (length(business_name) <= 100))),
  constraint merchant_category_code_check CHECK ((category_code ~ '^\d{4}$'::text)),
  constraint merchant_check CHECK (((logo IS NULL) = (logo_file IS NULL))),
  constraint merchant_logo_check CHECK ((octet_length(logo) <= 32768)),
  constraint merchant_logo_file_check CHECK ((logo_file ~ '^[0-9a-f]{32}(-square)?\.(svg|png)$'::text)),
  constraint merchant_payment_limit_pence_check CHECK ((payment_limit_pence >= 100)),
  constraint merchant_support_email_check CHECK (((length(support_email) >= 3) AND (length(support_email) <= 254))),
  constraint merchant_support_phone_check CHECK ((support_phone ~ '^\+?[0-9][0-9 -]{5,29}$'::text)),
  constraint merchant_support_url_check CHECK (((support_url ~~ 'https://%'::text) AND (length(support_url) <= 2048)))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on merchant to florin_system;
grant select, update on merchant to florin_tenant;

create table merchant_suspension (
  merchant_id uuid not null,
  environment text not null,
  suspension_id uuid not null,
  reason text not null,
  suspended_by text not null,
  suspended_at timestamp with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  resumed_by text,
  resumed_at timestamp with time zone,
  constraint merchant_suspension_pkey PRIMARY KEY (merchant_id, environment, suspension_id),
  constraint merchant_suspension_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint merchant_suspension_check CHECK (((resumed_at IS NULL) = (resumed_by IS NULL))),
  constraint merchant_suspension_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint merchant_suspension_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);
CREATE UNIQUE INDEX merchant_suspension_current ON merchant_suspension USING btree (merchant_id, environment) WHERE (resumed_at IS NULL);
CREATE INDEX merchant_suspension_newest ON merchant_suspension USING btree (merchant_id, suspended_at DESC);
CREATE TRIGGER merchant_suspension_noted AFTER INSERT OR UPDATE ON merchant_suspension FOR EACH ROW EXECUTE FUNCTION note_suspension();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on merchant_suspension to florin_system;
grant insert, select, update on merchant_suspension to florin_tenant;

create table merchant_switch (
  merchant_id uuid not null,
  environment text not null,
  cards_enabled boolean default false not null,
  refunds_enabled boolean default false not null,
  payouts_enabled boolean default false not null,
  transfer_hub_paused boolean default false not null,
  orders_guarded boolean default false not null,
  signs_every_return boolean default false not null,
  repeats_completed boolean default false not null,
  settlement_period text default 'DAILY'::text not null,
  cut_off_minutes smallint default 1020 not null,
  fee_fixed_pence bigint default 0 not null,
  fee_basis_points integer default 0 not null,
  refunds_before_settlement boolean default false not null,
  refund_approval_above_pence bigint,
  expires_in_ms bigint,
  suspension_id uuid,
  constraint merchant_switch_pkey PRIMARY KEY (merchant_id, environment),
  constraint merchant_switch_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint merchant_switch_suspension FOREIGN KEY (merchant_id, environment, suspension_id) REFERENCES merchant_suspension(merchant_id, environment, suspension_id),
  constraint merchant_switch_check CHECK ((payouts_enabled OR (NOT refunds_enabled))),
  constraint merchant_switch_check1 CHECK (((environment = 'SANDBOX'::text) OR (NOT transfer_hub_paused))),
  constraint merchant_switch_cut_off_minutes_check CHECK (((cut_off_minutes >= 0) AND (cut_off_minutes <= 1439))),
  constraint merchant_switch_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint merchant_switch_expires_in_ms_check CHECK (((expires_in_ms >= 60000) AND (expires_in_ms <= '34560000000'::bigint))),
  constraint merchant_switch_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 10000))),
  constraint merchant_switch_fee_fixed_pence_check CHECK (((fee_fixed_pence >= 0) AND (fee_fixed_pence <= 100000))),
  constraint merchant_switch_refund_approval_above_pence_check CHECK ((refund_approval_above_pence >= 0)),
  constraint merchant_switch_refunds_settle_daily CHECK (((settlement_period = 'DAILY'::text) OR (NOT refunds_enabled))),
  constraint merchant_switch_settlement_period_check CHECK ((settlement_period = ANY (ARRAY['DAILY'::text, 'WEEKLY'::text, 'MONTHLY'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on merchant_switch to florin_system;
grant insert, select, update on merchant_switch to florin_tenant;

create table money_day (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  account text not null,
  reason text not null,
  amount_pence bigint not null,
  net_entries bigint not null,
  first_in bigint not null,
  last_in bigint not null,
  constraint money_day_pkey PRIMARY KEY (merchant_id, environment, day, account, reason),
  constraint money_day_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on money_day to florin_system;
grant insert, select, update on money_day to florin_tenant;

create table money_day_cursor (
  merchant_id uuid not null,
  environment text not null,
  counted_in xid8 not null,
  constraint money_day_cursor_pkey PRIMARY KEY (merchant_id, environment),
  constraint money_day_cursor_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint money_day_cursor_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on money_day_cursor to florin_system;
grant insert, select, update on money_day_cursor to florin_tenant;

create table money_store_day (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  store_id uuid not null,
  reason text not null,
  method text not null,
  amount_pence bigint not null,
  tip_pence bigint not null,
  tax_pence bigint not null,
  service_pence bigint not null,
  constraint money_store_day_pkey PRIMARY KEY (merchant_id, environment, day, store_id, reason, method),
  constraint money_store_day_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint money_store_day_method_check CHECK ((method = ANY (ARRAY['PAY_BY_BANK'::text, 'CARD'::text, 'NONE'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on money_store_day to florin_system;
grant insert, select, update on money_store_day to florin_tenant;

create table operator_case (
  case_id uuid default gen_random_uuid() not null,
  merchant_id uuid,
  environment text,
  kind text not null,
  subject text not null,
  description text not null,
  evidence jsonb default '{}'::jsonb not null,
  status text default 'OPEN'::text not null,
  opened_at timestamp with time zone default clock_timestamp() not null,
  resolved_at timestamp with time zone,
  resolution text,
  reported_at timestamp with time zone,
  leased_until timestamp with time zone,
  report_attempts smallint default 0 not null,
  report_error text,
  constraint operator_case_pkey PRIMARY KEY (case_id),
  constraint operator_case_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint operator_case_check CHECK (((merchant_id IS NULL) = (environment IS NULL))),
  constraint operator_case_check1 CHECK (((status = 'RESOLVED'::text) = ((resolved_at IS NOT NULL) AND (resolution IS NOT NULL)))),
  constraint operator_case_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint operator_case_kind_check CHECK ((kind = ANY (ARRAY['PAYMENT_PENDING_LONG'::text, 'PAYMENT_BLOCKED'::text, 'LATE_REFUND_REFUSED'::text, 'PROCESSOR_CONTRADICTION'::text, 'AMOUNT_DIFFERS'::text, 'DISPUTE_OPENED'::text, 'DISPUTE_LOST'::text, 'DELIVERIES_ENDED'::text, 'ROWS_IN_DEFAULT_PARTITION'::text, 'BOOKS_UNBALANCED'::text, 'REFUND_OVERDUE'::text, 'BANK_MESSAGE_QUARANTINED'::text, 'REFUND_ACCOUNT_NEEDED'::text, 'CREDIT_UNMATCHED'::text, 'BANK_HOLIDAYS_END'::text, 'BOOKS_BROKEN'::text, 'CARD_ACCOUNT_KEYS_MISSING'::text, 'BOOKS_NOT_VERIFIED'::text, 'REFUND_HELD'::text, 'ACCOUNT_NEGATIVE'::text, 'STORE_ACCOUNT_NEEDED'::text, 'TRANSFER_CONTRADICTION'::text, 'BANK_BALANCE_DIFFERS'::text, 'PAYOUT_OVERDUE'::text, 'PAYOUT_PARTLY_PAID'::text, 'BANK_BALANCE_NOT_COMPARED'::text, 'BANK_NOT_SUBSCRIBED'::text, 'DEBIT_UNEXPLAINED'::text, 'DATA_RESTORED'::text, 'PAYMENT_LOST_BY_RESTORE'::text]))),
  constraint operator_case_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESOLVED'::text])))
);
CREATE INDEX operator_case_listed ON operator_case USING btree (opened_at DESC, case_id);
CREATE UNIQUE INDEX operator_case_open ON operator_case USING btree (kind, subject) WHERE (status = 'OPEN'::text);
CREATE INDEX operator_case_to_report ON operator_case USING btree (COALESCE(environment, 'PRODUCTION'::text), opened_at) WHERE (reported_at IS NULL);
CREATE TRIGGER operator_case_noted AFTER INSERT ON operator_case FOR EACH ROW WHEN (((new.merchant_id IS NOT NULL) AND (new.kind = ANY (ARRAY['DISPUTE_OPENED'::text, 'DISPUTE_LOST'::text, 'REFUND_ACCOUNT_NEEDED'::text])))) EXECUTE FUNCTION note_case();
CREATE TRIGGER operator_case_releases AFTER UPDATE ON operator_case FOR EACH ROW WHEN (((new.kind = 'DEBIT_UNEXPLAINED'::text) AND (new.status = 'RESOLVED'::text))) EXECUTE FUNCTION release_explained();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on operator_case to florin_system;
grant insert, select on operator_case to florin_tenant;

create table operator_case_history (
  case_id uuid not null,
  "position" smallint not null,
  merchant_id uuid,
  environment text,
  from_status text not null,
  to_status text not null,
  actor text not null,
  detail text not null,
  evidence jsonb default '{}'::jsonb not null,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  constraint operator_case_history_pkey PRIMARY KEY (case_id, "position"),
  constraint operator_case_history_case_id_fkey FOREIGN KEY (case_id) REFERENCES operator_case(case_id)
);
CREATE TRIGGER operator_case_history_append_only BEFORE DELETE ON operator_case_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_case_history_erased_only BEFORE UPDATE ON operator_case_history FOR EACH ROW WHEN (((new.detail <> 'erased'::text) OR ((to_jsonb(new.*) - 'detail'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'detail'::text)))) EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on operator_case_history to florin_system;
grant insert on operator_case_history to florin_tenant;

create table operator_secret (
  operator_secret_id uuid not null,
  name text not null,
  secret_sha256 bytea not null,
  last_four character(4) not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint operator_secret_pkey PRIMARY KEY (operator_secret_id),
  constraint operator_secret_secret_sha256_key UNIQUE (secret_sha256),
  constraint operator_secret_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint operator_secret_secret_sha256_check CHECK ((length(secret_sha256) = 32))
);
grant insert, select, update on operator_secret to florin_system;

create table outgoing_turn (
  merchant_id uuid not null,
  environment text not null,
  version integer default 1 not null,
  constraint outgoing_turn_pkey PRIMARY KEY (merchant_id, environment),
  constraint outgoing_turn_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint outgoing_turn_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on outgoing_turn to florin_system;
grant insert, select, update on outgoing_turn to florin_tenant;

create table page_opening (
  merchant_id uuid not null,
  environment text not null,
  payment_request_id uuid not null,
  opened_at timestamp with time zone not null,
  constraint page_opening_pkey PRIMARY KEY (merchant_id, environment, payment_request_id),
  constraint page_opening_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX page_opening_newest ON page_opening USING btree (merchant_id, environment, opened_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on page_opening to florin_system;
grant select on page_opening to florin_tenant;

create table payment_code (
  merchant_id uuid not null,
  environment text not null,
  code_id uuid not null,
  token text not null,
  store_id uuid not null,
  label text not null,
  amount_pence bigint,
  min_pence bigint,
  max_pence bigint,
  status text default 'ACTIVE'::text not null,
  made_by uuid not null,
  recent_payments jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint payment_code_pkey PRIMARY KEY (merchant_id, environment, code_id),
  constraint payment_code_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint payment_code_amount_pence_check CHECK ((amount_pence >= 100)),
  constraint payment_code_check CHECK ((max_pence >= min_pence)),
  constraint payment_code_check1 CHECK (((amount_pence IS NULL) = ((min_pence IS NOT NULL) AND (max_pence IS NOT NULL)))),
  constraint payment_code_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint payment_code_label_check CHECK (((length(label) >= 1) AND (length(label) <= 30))),
  constraint payment_code_min_pence_check CHECK ((min_pence >= 100)),
  constraint payment_code_recent_payments_check CHECK ((jsonb_typeof(recent_payments) = 'object'::text)),
  constraint payment_code_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text]))),
  constraint payment_code_token_check CHECK ((token ~ '^[0-9a-z]{20,40}$'::text))
);
CREATE INDEX payment_code_newest ON payment_code USING btree (merchant_id, environment, created_at DESC, code_id DESC);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payment_code to florin_system;
grant insert, select, update on payment_code to florin_tenant;

create table payment_history (
  merchant_id uuid not null,
  environment text not null,
  payment_request_id uuid not null,
  version integer not null,
  "position" smallint not null,
  subject text not null,
  subject_id uuid not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  constraint payment_history_pkey PRIMARY KEY (merchant_id, environment, payment_request_id, version, "position", written_at),
  constraint payment_history_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint payment_history_subject_check CHECK ((subject = ANY (ARRAY['REQUEST'::text, 'ATTEMPT'::text])))
) partition by range (written_at);
CREATE TRIGGER payment_history_append_only BEFORE DELETE ON payment_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_history_erased_only BEFORE UPDATE ON payment_history FOR EACH ROW WHEN (((new.detail IS NOT NULL) OR ((to_jsonb(new.*) - 'detail'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'detail'::text)))) EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payment_history to florin_system;
grant insert, select on payment_history to florin_tenant;

create table payment_request (
  merchant_id uuid not null,
  environment text not null,
  payment_request_id uuid not null,
  kind text default 'CHECKOUT'::text not null,
  channel text default 'API'::text not null,
  till_name text,
  request_id uuid,
  traceparent text,
  fixed_tip_pence bigint,
  status text default 'OPEN'::text not null,
  version integer default 1 not null,
  merchant_customer_reference text not null,
  order_id text not null,
  amount_pence bigint not null,
  tax_percentage numeric(5,2) default 0 not null,
  service_percentage numeric(5,2) default 0 not null,
  tax_pence bigint default 0 not null,
  service_pence bigint default 0 not null,
  paid_pence bigint default 0 not null,
  committed_pence bigint default 0 not null,
  store_id uuid not null,
  customer_id uuid,
  secret_id uuid not null,
  payment_methods text[],
  saves_payment_method boolean default false not null,
  auto_redirects boolean default false not null,
  institution_id text,
  consumer_details jsonb,
  callback_params jsonb default '{}'::jsonb not null,
  notes text,
  line_items jsonb,
  payer_note text,
  tips_enabled boolean default true not null,
  retry_allowed boolean default true not null,
  redirect_url text,
  splits_bill boolean default false not null,
  template text,
  payment_type text,
  strict_expiry boolean default false not null,
  expires_in_ms bigint not null,
  time_extensions smallint default 0 not null,
  expires_business_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  live_attempt_count integer default 0 not null,
  event_sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  personal_data_erased_at timestamp with time zone,
  constraint payment_request_pkey PRIMARY KEY (merchant_id, environment, payment_request_id),
  constraint payment_request_amount_pence_check CHECK ((amount_pence >= 100)),
  constraint payment_request_channel_check CHECK ((channel = ANY (ARRAY['API'::text, 'DASHBOARD'::text, 'TILL'::text, 'CODE'::text]))),
  constraint payment_request_check CHECK (((committed_pence >= 0) AND (committed_pence <= amount_pence))),
  constraint payment_request_check1 CHECK (((status <> 'CLOSED'::text) OR (kind = 'CARD_CHARGE'::text))),
  constraint payment_request_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint payment_request_expires_in_ms_check CHECK (((expires_in_ms >= 1) AND (expires_in_ms <= '34560000000'::bigint))),
  constraint payment_request_fixed_tip_pence_check CHECK ((fixed_tip_pence >= 0)),
  constraint payment_request_kind_check CHECK ((kind = ANY (ARRAY['CHECKOUT'::text, 'CARD_CHARGE'::text]))),
  constraint payment_request_live_attempt_count_check CHECK ((live_attempt_count >= 0)),
  constraint payment_request_paid_pence_check CHECK ((paid_pence >= 0)),
  constraint payment_request_service_pence_check CHECK ((service_pence >= 0)),
  constraint payment_request_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'PAID'::text, 'EXPIRED'::text, 'CANCELLED'::text, 'CLOSED'::text]))),
  constraint payment_request_tax_pence_check CHECK ((tax_pence >= 0)),
  constraint payment_request_template_check CHECK ((template = ANY (ARRAY['EXTERNAL_DISPLAY'::text, 'EXTERNAL_DISPLAY_PNG'::text, 'RECEIPT'::text, 'RECEIPT_PNG'::text]))),
  constraint payment_request_till CHECK (((channel = 'TILL'::text) = (till_name IS NOT NULL))),
  constraint payment_request_till_name_check CHECK (((length(till_name) >= 1) AND (length(till_name) <= 30))),
  constraint payment_request_time_extensions_check CHECK (((time_extensions >= 0) AND (time_extensions <= 10))),
  constraint payment_request_traceparent_check CHECK ((length(traceparent) = 55))
);
CREATE INDEX payment_request_age ON payment_request USING brin (created_at);
CREATE INDEX payment_request_channel ON payment_request USING btree (merchant_id, environment, channel, created_at DESC, payment_request_id DESC) INCLUDE (status, store_id, amount_pence) WHERE (channel <> 'API'::text);
CREATE INDEX payment_request_channel_amount ON payment_request USING btree (merchant_id, environment, channel, amount_pence, payment_request_id) INCLUDE (status, store_id, created_at) WHERE (channel = 'DASHBOARD'::text);
CREATE INDEX payment_request_due ON payment_request USING btree (environment, expires_at) WHERE ((status = 'OPEN'::text) AND (live_attempt_count = 0));
CREATE INDEX payment_request_of_customer ON payment_request USING btree (merchant_id, environment, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX payment_request_paid_by ON payment_request USING btree (merchant_id, environment, merchant_customer_reference, created_at DESC) WHERE (status = 'PAID'::text);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payment_request to florin_system;
grant insert, select, update on payment_request to florin_tenant;

create table payout (
  merchant_id uuid not null,
  environment text not null,
  payout_id uuid not null,
  status text not null,
  version integer default 1 not null,
  reference text not null,
  sort_code character(6) not null,
  account_number character(8) not null,
  account_name text not null,
  amount_pence bigint default 0 not null,
  line_count integer default 0 not null,
  end_to_end_id text,
  error_code text,
  error_description text,
  period_ends_business_at timestamp with time zone not null,
  due_at timestamp with time zone,
  finalized_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payout_pkey PRIMARY KEY (merchant_id, environment, payout_id),
  constraint payout_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint payout_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint payout_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'SETTLED'::text, 'FAILED'::text])))
);
CREATE INDEX payout_by_amount ON payout USING btree (merchant_id, environment, amount_pence, created_at, payout_id);
CREATE INDEX payout_by_reference ON payout USING btree (merchant_id, environment, reference COLLATE "C");
CREATE INDEX payout_by_status ON payout USING btree (merchant_id, environment, status, created_at, payout_id);
CREATE INDEX payout_by_time ON payout USING btree (merchant_id, environment, created_at, payout_id) INCLUDE (status, amount_pence);
CREATE INDEX payout_due ON payout USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payout_in_progress ON payout USING btree (updated_at) WHERE (status = 'PROCESSING'::text);
CREATE INDEX payout_negative ON payout USING btree (updated_at) WHERE ((status = 'PENDING'::text) AND (amount_pence < 0));
CREATE UNIQUE INDEX payout_one_open ON payout USING btree (merchant_id, environment, sort_code, account_number) WHERE (status = 'PENDING'::text);
CREATE INDEX payout_settled ON payout USING btree (merchant_id, environment, finalized_at) WHERE (status = 'SETTLED'::text);
CREATE TRIGGER payout_noted AFTER UPDATE ON payout FOR EACH ROW WHEN (((new.status = ANY (ARRAY['SETTLED'::text, 'FAILED'::text])) AND (old.status <> new.status))) EXECUTE FUNCTION note_payout();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout to florin_system;
grant insert, select, update on payout to florin_tenant;

create table payout_count (
  merchant_id uuid not null,
  environment text not null,
  created_on date not null,
  status text not null,
  payouts integer not null,
  constraint payout_count_pkey PRIMARY KEY (merchant_id, environment, created_on, status),
  constraint payout_count_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout_count to florin_system;
grant insert, select, update on payout_count to florin_tenant;

create table payout_cursor (
  merchant_id uuid not null,
  environment text not null,
  up_to_written_in xid8 not null,
  constraint payout_cursor_pkey PRIMARY KEY (merchant_id, environment),
  constraint payout_cursor_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint payout_cursor_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout_cursor to florin_system;
grant insert, select, update on payout_cursor to florin_tenant;

create table payout_history (
  merchant_id uuid not null,
  environment text not null,
  payout_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  constraint payout_history_pkey PRIMARY KEY (merchant_id, environment, payout_id, version),
  constraint payout_history_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE TRIGGER payout_history_append_only BEFORE DELETE OR UPDATE ON payout_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout_history to florin_system;
grant insert, select on payout_history to florin_tenant;

create table payout_line (
  merchant_id uuid not null,
  environment text not null,
  payout_id uuid not null,
  entry_id bigint not null,
  state text default 'CURRENT'::text not null,
  amount_pence bigint not null,
  reason text not null,
  resource_id uuid not null,
  attempt_id uuid,
  store_id uuid not null,
  occurred_at timestamp with time zone not null,
  constraint payout_line_pkey PRIMARY KEY (merchant_id, environment, payout_id, entry_id),
  constraint payout_line_merchant_id_environment_payout_id_fkey FOREIGN KEY (merchant_id, environment, payout_id) REFERENCES payout(merchant_id, environment, payout_id),
  constraint payout_line_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint payout_line_state_check CHECK ((state = ANY (ARRAY['CURRENT'::text, 'RELEASED'::text, 'MOVED'::text])))
);
CREATE INDEX payout_line_of_entry ON payout_line USING btree (merchant_id, environment, entry_id);
CREATE UNIQUE INDEX payout_line_once ON payout_line USING btree (merchant_id, environment, entry_id) WHERE (state = 'CURRENT'::text);
CREATE INDEX payout_line_released ON payout_line USING btree (merchant_id, environment) WHERE (state = 'RELEASED'::text);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout_line to florin_system;
grant insert, select, update on payout_line to florin_tenant;

create table payout_match (
  merchant_id uuid not null,
  environment text not null,
  payout_id uuid not null,
  credits integer not null,
  credited numeric(20,5) not null,
  credited_at timestamp with time zone,
  account_id uuid,
  transaction_id text,
  is_payout_account boolean,
  read_until timestamp with time zone,
  constraint payout_match_pkey PRIMARY KEY (merchant_id, environment, payout_id),
  constraint payout_match_merchant_id_environment_payout_id_fkey FOREIGN KEY (merchant_id, environment, payout_id) REFERENCES payout(merchant_id, environment, payout_id),
  constraint payout_match_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on payout_match to florin_system;
grant insert, select, update on payout_match to florin_tenant;

create table person (
  person_id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean default false not null,
  two_factor_enabled boolean default false not null,
  is_operator boolean default false not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint person_pkey PRIMARY KEY (person_id),
  constraint person_email_key UNIQUE (email),
  constraint person_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint person_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE TRIGGER person_app_notice AFTER UPDATE ON person FOR EACH ROW WHEN ((old.two_factor_enabled IS DISTINCT FROM new.two_factor_enabled)) EXECUTE FUNCTION mail_changed_app();
grant delete, insert, select, update on person to florin_system;

create table person_credential (
  credential_id uuid not null,
  person_id uuid not null,
  provider text not null,
  account text not null,
  password_hash text,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint person_credential_pkey PRIMARY KEY (credential_id),
  constraint person_credential_person_id_provider_key UNIQUE (person_id, provider),
  constraint person_credential_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint person_credential_provider_check CHECK ((provider = 'credential'::text))
);
CREATE TRIGGER person_credential_notice AFTER UPDATE ON person_credential FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION mail_changed_password();
grant delete, insert, select, update on person_credential to florin_system;

create table person_link (
  token_sha256 bytea not null,
  person_id uuid not null,
  purpose text not null,
  email text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint person_link_pkey PRIMARY KEY (token_sha256),
  constraint person_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint person_link_purpose_check CHECK ((purpose = ANY (ARRAY['VERIFY_EMAIL'::text, 'NEW_PASSWORD'::text]))),
  constraint person_link_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX person_link_expired ON person_link USING btree (expires_at);
CREATE INDEX person_link_of_person ON person_link USING btree (person_id, purpose);
grant delete, insert, select, update on person_link to florin_system;

create table person_mail (
  mail_id uuid default gen_random_uuid() not null,
  person_id uuid,
  kind text not null,
  recipient text not null,
  detail jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  attempts smallint default 0 not null,
  sent_at timestamp with time zone,
  given_up_at timestamp with time zone,
  last_error text,
  constraint person_mail_pkey PRIMARY KEY (mail_id),
  constraint person_mail_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint person_mail_kind_check CHECK ((kind = ANY (ARRAY['VERIFY_EMAIL'::text, 'NEW_PASSWORD'::text, 'INVITE'::text, 'PASSWORD_CHANGED'::text, 'PASSKEY_ADDED'::text, 'PASSKEY_REMOVED'::text, 'APP_ADDED'::text, 'APP_REMOVED'::text, 'RECOVERY_CODES_CHANGED'::text, 'ENDPOINT_FAILING'::text, 'PAYOUT_PAID'::text, 'PAYOUT_FAILED'::text, 'REFUND_WAITS'::text, 'REFUND_PROPOSED'::text, 'DISPUTE'::text, 'SUSPENSION'::text])))
);
CREATE INDEX person_mail_created ON person_mail USING btree (created_at);
CREATE INDEX person_mail_due ON person_mail USING btree (due_at) WHERE ((sent_at IS NULL) AND (given_up_at IS NULL));
CREATE INDEX person_mail_given_up ON person_mail USING btree (given_up_at) WHERE (given_up_at IS NOT NULL);
CREATE INDEX person_mail_of_person ON person_mail USING btree (person_id);
CREATE INDEX person_mail_to ON person_mail USING btree (recipient, created_at DESC);
grant delete, insert, select, update on person_mail to florin_system;

create table person_passkey (
  passkey_id uuid not null,
  person_id uuid not null,
  name text,
  public_key text not null,
  credential text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint person_passkey_pkey PRIMARY KEY (passkey_id),
  constraint person_passkey_credential_key UNIQUE (credential),
  constraint person_passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint person_passkey_name_check CHECK ((length(name) <= 100))
);
CREATE INDEX person_passkey_of_person ON person_passkey USING btree (person_id);
CREATE TRIGGER person_passkey_added AFTER INSERT ON person_passkey FOR EACH ROW EXECUTE FUNCTION mail_added_passkey();
CREATE TRIGGER person_passkey_removed AFTER DELETE ON person_passkey FOR EACH ROW EXECUTE FUNCTION mail_removed_passkey();
grant delete, insert, select, update on person_passkey to florin_system;

create table person_session (
  session_id uuid not null,
  person_id uuid not null,
  token_sha256 bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  authenticated_at timestamp with time zone default clock_timestamp() not null,
  used_at timestamp with time zone default clock_timestamp() not null,
  by_passkey boolean default false not null,
  address text,
  user_agent text,
  constraint person_session_pkey PRIMARY KEY (session_id),
  constraint person_session_token_sha256_key UNIQUE (token_sha256),
  constraint person_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint person_session_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX person_session_expired ON person_session USING btree (expires_at);
CREATE INDEX person_session_of_person ON person_session USING btree (person_id, created_at DESC);
grant delete, insert, select, update on person_session to florin_system;

create table person_two_factor (
  two_factor_id uuid not null,
  person_id uuid not null,
  secret_sealed text not null,
  recovery_code_digests text not null,
  verified boolean default false not null,
  failed_count integer default 0 not null,
  locked_until timestamp with time zone,
  accepted_step bigint,
  constraint person_two_factor_pkey PRIMARY KEY (two_factor_id),
  constraint person_two_factor_person_id_key UNIQUE (person_id),
  constraint person_two_factor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE
);
CREATE TRIGGER person_two_factor_notice AFTER UPDATE ON person_two_factor FOR EACH ROW WHEN ((old.verified AND (old.recovery_code_digests IS DISTINCT FROM new.recovery_code_digests))) EXECUTE FUNCTION mail_changed_codes();
grant delete, insert, select, update on person_two_factor to florin_system;

create table person_verification (
  verification_id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint person_verification_pkey PRIMARY KEY (verification_id)
);
CREATE INDEX person_verification_expired ON person_verification USING btree (expires_at);
CREATE INDEX person_verification_identifier ON person_verification USING btree (identifier, created_at DESC);
grant delete, insert, select, update on person_verification to florin_system;

create table public_id (
  public_id text not null,
  kind text not null,
  merchant_id uuid not null,
  environment text not null,
  target_id uuid not null,
  constraint public_id_pkey PRIMARY KEY (public_id, kind),
  constraint public_id_kind_check CHECK ((kind = ANY (ARRAY['PAYMENT_REQUEST'::text, 'ATTEMPT'::text, 'BANK_STATE'::text, 'BANK_AUTHORISATION'::text, 'BANK_LINK_STATE'::text, 'BANK_ACCOUNT'::text, 'IMAGE'::text, 'LINK'::text, 'REFUND'::text, 'PAYOUT'::text, 'PAYMENT_CODE'::text])))
);
grant insert, select on public_id to florin_system;
grant insert, select on public_id to florin_tenant;

create table purpose_key (
  purpose text not null,
  key_encrypted bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint purpose_key_pkey PRIMARY KEY (purpose)
);
grant insert, select, update on purpose_key to florin_system;

create table rate_window (
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null,
  window_second bigint not null,
  used integer not null,
  constraint rate_window_pkey PRIMARY KEY (merchant_id, environment, secret_id),
  constraint rate_window_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on rate_window to florin_system;
grant insert, select, update on rate_window to florin_tenant;

create table receipt_allowance (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  request_count smallint not null,
  constraint receipt_allowance_pkey PRIMARY KEY (merchant_id, environment, attempt_id),
  constraint receipt_allowance_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint receipt_allowance_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on receipt_allowance to florin_system;
grant insert, select, update on receipt_allowance to florin_tenant;

create table receipt_mail (
  merchant_id uuid not null,
  environment text not null,
  attempt_id uuid not null,
  "position" smallint not null,
  kind text default 'RECEIPT'::text not null,
  payment_request_id uuid not null,
  recipient_encrypted bytea,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  sent_at timestamp with time zone,
  last_error text,
  constraint receipt_mail_pkey PRIMARY KEY (merchant_id, environment, attempt_id, "position"),
  constraint receipt_mail_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint receipt_mail_check CHECK (((sent_at IS NULL) OR (recipient_encrypted IS NULL))),
  constraint receipt_mail_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint receipt_mail_kind_check CHECK ((kind = ANY (ARRAY['RECEIPT'::text, 'LINK'::text, 'REFUND'::text])))
);
CREATE INDEX receipt_mail_age ON receipt_mail USING btree (created_at);
CREATE INDEX receipt_mail_due ON receipt_mail USING btree (environment, due_at) WHERE (sent_at IS NULL);
CREATE INDEX receipt_mail_newest ON receipt_mail USING btree (merchant_id, environment, created_at DESC);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on receipt_mail to florin_system;
grant insert, select on receipt_mail to florin_tenant;

create table refund (
  merchant_id uuid not null,
  environment text not null,
  refund_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  payment_idempotency_id text not null,
  order_id text not null,
  store_id uuid not null,
  secret_id uuid not null,
  method text not null,
  status text not null,
  step text not null,
  waits_for text,
  version integer default 1 not null,
  amount_pence bigint not null,
  paid_pence bigint not null,
  notes text,
  request_id uuid,
  traceparent text,
  account_encrypted bytea,
  end_to_end_id text,
  rail_state_encrypted bytea,
  rail_reference text,
  error_code text,
  error_description text,
  event_sequence integer default 0 not null,
  poll_count integer default 0 not null,
  due_business_at timestamp with time zone,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  handed_over_at timestamp with time zone,
  operator_alerted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint refund_pkey PRIMARY KEY (merchant_id, environment, refund_id),
  constraint refund_merchant_id_environment_attempt_id_fkey FOREIGN KEY (merchant_id, environment, attempt_id) REFERENCES attempt(merchant_id, environment, attempt_id),
  constraint refund_amount_pence_check CHECK ((amount_pence >= 100)),
  constraint refund_check CHECK (((step = 'ENDED'::text) = (status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text])))),
  constraint refund_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint refund_method_check CHECK ((method = ANY (ARRAY['PAY_BY_BANK'::text, 'CARD'::text]))),
  constraint refund_status_check CHECK ((status = ANY (ARRAY['INITIATED'::text, 'PENDING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint refund_step_check CHECK ((step = ANY (ARRAY['WAITING'::text, 'HANDED_OVER'::text, 'ENDED'::text]))),
  constraint refund_traceparent_check CHECK ((length(traceparent) = 55)),
  constraint refund_waits_for_check CHECK ((waits_for = ANY (ARRAY['BALANCE'::text, 'SETTLEMENT'::text, 'REFUND_ACCOUNT_NEEDED'::text, 'OPERATOR'::text])))
) with (fillfactor=80);
CREATE INDEX refund_by_amount ON refund USING btree (merchant_id, environment, amount_pence, refund_id) INCLUDE (status, store_id, created_at);
CREATE INDEX refund_due ON refund USING btree (environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX refund_newest ON refund USING btree (merchant_id, environment, created_at DESC, refund_id DESC) INCLUDE (status, store_id, amount_pence);
CREATE INDEX refund_of_card ON refund USING btree (refund_id) WHERE (method = 'CARD'::text);
CREATE INDEX refund_of_merchant_open ON refund USING btree (merchant_id, environment, status) WHERE (status = ANY (ARRAY['INITIATED'::text, 'PENDING'::text]));
CREATE INDEX refund_of_payment ON refund USING btree (merchant_id, environment, payment_request_id, created_at, refund_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on refund to florin_system;
grant insert, select, update on refund to florin_tenant;

create table refund_approval (
  merchant_id uuid not null,
  environment text not null,
  approval_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  payment_idempotency_id text not null,
  order_id text not null,
  amount_pence bigint not null,
  notes text,
  status text not null,
  version integer default 1 not null,
  proposed_by uuid not null,
  proposed_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  reason text,
  refund_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint refund_approval_pkey PRIMARY KEY (merchant_id, environment, approval_id),
  constraint refund_approval_merchant_id_environment_attempt_id_fkey FOREIGN KEY (merchant_id, environment, attempt_id) REFERENCES attempt(merchant_id, environment, attempt_id),
  constraint refund_approval_amount_pence_check CHECK ((amount_pence >= 100)),
  constraint refund_approval_check CHECK (((status = 'REFUNDED'::text) = (refund_id IS NOT NULL))),
  constraint refund_approval_check1 CHECK (((status = 'WAITING'::text) = (decided_by IS NULL))),
  constraint refund_approval_check2 CHECK (((status = 'WITHDRAWN'::text) OR (decided_by IS NULL) OR (decided_by <> proposed_by))),
  constraint refund_approval_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint refund_approval_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'REFUNDED'::text, 'DECLINED'::text, 'WITHDRAWN'::text, 'REFUSED'::text])))
);
CREATE INDEX refund_approval_newest ON refund_approval USING btree (merchant_id, environment, created_at DESC, approval_id DESC);
CREATE INDEX refund_approval_of_attempt ON refund_approval USING btree (merchant_id, environment, attempt_id);
CREATE INDEX refund_approval_of_payment ON refund_approval USING btree (merchant_id, environment, payment_request_id, created_at DESC, approval_id DESC);
CREATE INDEX refund_approval_waiting ON refund_approval USING btree (merchant_id, environment, created_at DESC, approval_id DESC) WHERE (status = 'WAITING'::text);
CREATE TRIGGER refund_approval_noted AFTER INSERT ON refund_approval FOR EACH ROW WHEN ((new.status = 'WAITING'::text)) EXECUTE FUNCTION note_proposed_refund();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on refund_approval to florin_system;
grant insert, select, update on refund_approval to florin_tenant;

create table refund_approval_history (
  merchant_id uuid not null,
  environment text not null,
  approval_id uuid not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  person_id uuid not null,
  person_name text not null,
  detail text,
  occurred_at timestamp with time zone not null,
  constraint refund_approval_history_pkey PRIMARY KEY (merchant_id, environment, approval_id, version),
  constraint refund_approval_history_merchant_id_environment_approval_i_fkey FOREIGN KEY (merchant_id, environment, approval_id) REFERENCES refund_approval(merchant_id, environment, approval_id)
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on refund_approval_history to florin_system;
grant insert, select on refund_approval_history to florin_tenant;

create table refund_history (
  merchant_id uuid not null,
  environment text not null,
  refund_id uuid not null,
  version integer not null,
  "position" smallint not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamp with time zone not null,
  written_at timestamp with time zone default now() not null,
  constraint refund_history_pkey PRIMARY KEY (merchant_id, environment, refund_id, version, "position"),
  constraint refund_history_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE TRIGGER refund_history_append_only BEFORE DELETE ON refund_history FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_history_erased_only BEFORE UPDATE ON refund_history FOR EACH ROW WHEN (((new.detail IS NOT NULL) OR ((to_jsonb(new.*) - 'detail'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'detail'::text)))) EXECUTE FUNCTION refuse_change();
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on refund_history to florin_system;
grant insert, select on refund_history to florin_tenant;

create table request_log (
  merchant_id uuid not null,
  environment text not null,
  log_id bigint generated always as identity not null,
  request_id text not null,
  requested_at timestamp with time zone not null,
  method text not null,
  operation text not null,
  status smallint not null,
  failure text,
  took_ms real not null,
  address_prefix text not null,
  secret_id uuid not null,
  written_at timestamp with time zone default now() not null,
  constraint request_log_pkey PRIMARY KEY (merchant_id, environment, log_id, written_at),
  constraint request_log_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
) partition by range (written_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on request_log to florin_system;
grant select on request_log to florin_tenant;

create table saved_view (
  merchant_id uuid not null,
  environment text not null,
  person_id uuid not null,
  page text not null,
  name text not null,
  view_id uuid not null,
  query text not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint saved_view_pkey PRIMARY KEY (merchant_id, environment, person_id, page, name),
  constraint saved_view_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint saved_view_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint saved_view_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint saved_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint saved_view_query_check CHECK ((length(query) <= 1000))
);
CREATE UNIQUE INDEX saved_view_id ON saved_view USING btree (merchant_id, environment, person_id, view_id);
CREATE INDEX saved_view_of_person ON saved_view USING btree (person_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on saved_view to florin_system;
grant delete, insert, select, update on saved_view to florin_tenant;

create table secret_directory (
  secret_sha256 bytea not null,
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null,
  constraint secret_directory_pkey PRIMARY KEY (secret_sha256),
  constraint secret_directory_secret_sha256_check CHECK ((length(secret_sha256) = 32))
);
grant delete, insert, select on secret_directory to florin_system;
grant delete, insert, select on secret_directory to florin_tenant;

create table statement_mail (
  merchant_id uuid not null,
  environment text not null,
  emails text[] not null,
  month date not null,
  due_at timestamp with time zone,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint statement_mail_pkey PRIMARY KEY (merchant_id, environment),
  constraint statement_mail_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint statement_mail_check CHECK (((due_at IS NULL) = (emails = '{}'::text[]))),
  constraint statement_mail_emails_check CHECK ((cardinality(emails) <= 5)),
  constraint statement_mail_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint statement_mail_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX statement_mail_due ON statement_mail USING btree (environment, due_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on statement_mail to florin_system;
grant insert, select, update on statement_mail to florin_tenant;

create table store (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  location_name text not null,
  address_line_1 text default ''::text not null,
  address_line_2 text default ''::text not null,
  postal_code text default ''::text not null,
  city text default ''::text not null,
  image_url text,
  is_primary boolean default false not null,
  is_enabled boolean default true not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint store_pkey PRIMARY KEY (merchant_id, environment, store_id),
  constraint store_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint store_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX store_newest ON store USING btree (merchant_id, environment, created_at DESC, store_id);
CREATE UNIQUE INDEX store_one_primary ON store USING btree (merchant_id, environment) WHERE is_primary;
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on store to florin_system;
grant insert, select, update on store to florin_tenant;

create table store_account_change (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  change_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  old_sort_code character(6) not null,
  old_account_number character(8) not null,
  old_account_name text not null,
  sort_code character(6) not null,
  account_number character(8) not null,
  account_name text not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint store_account_change_pkey PRIMARY KEY (merchant_id, environment, store_id, change_id),
  constraint store_account_change_merchant_id_environment_store_id_fkey FOREIGN KEY (merchant_id, environment, store_id) REFERENCES store(merchant_id, environment, store_id)
);
CREATE INDEX store_account_change_newest ON store_account_change USING btree (merchant_id, environment, store_id, changed_at DESC);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on store_account_change to florin_system;
grant insert, select on store_account_change to florin_tenant;

create table store_bank_account (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  sort_code character(6) not null,
  account_number character(8) not null,
  account_name text not null,
  is_placeholder boolean default false not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint store_bank_account_pkey PRIMARY KEY (merchant_id, environment, store_id),
  constraint store_bank_account_merchant_id_environment_store_id_fkey FOREIGN KEY (merchant_id, environment, store_id) REFERENCES store(merchant_id, environment, store_id),
  constraint store_bank_account_account_name_check CHECK (((length(account_name) >= 1) AND (length(account_name) <= 40))),
  constraint store_bank_account_account_number_check CHECK ((account_number ~ '^\d{8}$'::text)),
  constraint store_bank_account_sort_code_check CHECK ((sort_code ~ '^\d{6}$'::text))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on store_bank_account to florin_system;
grant insert, select, update on store_bank_account to florin_tenant;

create table subscription (
  merchant_id uuid not null,
  environment text not null,
  event_type text not null,
  slot smallint not null,
  endpoint_id uuid not null,
  api_version smallint not null,
  is_paused boolean default false not null,
  constraint subscription_pkey PRIMARY KEY (merchant_id, environment, event_type, slot),
  constraint subscription_merchant_id_environment_endpoint_id_event_type_key UNIQUE (merchant_id, environment, endpoint_id, event_type),
  constraint subscription_merchant_id_environment_endpoint_id_is_paused_fkey FOREIGN KEY (merchant_id, environment, endpoint_id, is_paused) REFERENCES webhook_endpoint(merchant_id, environment, endpoint_id, is_paused) ON UPDATE CASCADE,
  constraint subscription_api_version_check CHECK ((api_version = ANY (ARRAY[1, 2]))),
  constraint subscription_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint subscription_event_type_check CHECK ((event_type = ANY (ARRAY['PAYMENTS_STATUS'::text, 'EXPIRED_STATUS'::text, 'REFUND_STATUS'::text, 'POS_PAYMENT_STATUS'::text]))),
  constraint subscription_slot_check CHECK (((slot >= 1) AND (slot <= 3)))
);
CREATE UNIQUE INDEX subscription_one_v1 ON subscription USING btree (merchant_id, environment, event_type) WHERE (api_version = 1);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on subscription to florin_system;
grant delete, insert, select on subscription to florin_tenant;

create table tenant_clock (
  merchant_id uuid not null,
  environment text not null,
  offset_ms bigint default 0 not null,
  constraint tenant_clock_pkey PRIMARY KEY (merchant_id, environment),
  constraint tenant_clock_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint tenant_clock_check CHECK (((environment = 'SANDBOX'::text) OR (offset_ms = 0))),
  constraint tenant_clock_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint tenant_clock_offset_ms_check CHECK ((offset_ms >= 0))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on tenant_clock to florin_system;
grant insert, select, update on tenant_clock to florin_tenant;

create table tip_setting (
  merchant_id uuid not null,
  environment text not null,
  tip_id uuid not null,
  is_enabled boolean default true not null,
  tip_type text not null,
  options integer[] not null,
  allows_custom boolean default true not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint tip_setting_pkey PRIMARY KEY (merchant_id, environment),
  constraint tip_setting_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint tip_setting_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint tip_setting_options_check CHECK (((array_length(options, 1) = 3) AND (0 < ALL (options)))),
  constraint tip_setting_tip_type_check CHECK ((tip_type = ANY (ARRAY['FIXED'::text, 'PERCENTAGE'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on tip_setting to florin_system;
grant insert, select, update on tip_setting to florin_tenant;

create table transaction_count (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  count_id bigint generated always as identity not null,
  store_id uuid not null,
  method text not null,
  status text not null,
  items integer not null,
  amount_pence bigint not null,
  is_folded boolean default false not null,
  constraint transaction_count_pkey PRIMARY KEY (merchant_id, environment, day, count_id),
  constraint transaction_count_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE INDEX transaction_count_loose ON transaction_count USING btree (merchant_id, environment, day) WHERE (NOT is_folded);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on transaction_count to florin_system;
grant insert, select on transaction_count to florin_tenant;

create table transaction_item (
  merchant_id uuid not null,
  environment text not null,
  payment_request_id uuid not null,
  "position" integer not null,
  created_at timestamp with time zone not null,
  status text not null,
  method text not null,
  store_id uuid not null,
  customer_id uuid,
  total_pence bigint not null,
  institution_id text,
  words text not null,
  constraint transaction_item_pkey PRIMARY KEY (merchant_id, environment, payment_request_id, "position"),
  constraint transaction_item_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
) with (fillfactor=85);
CREATE INDEX transaction_item_amount ON transaction_item USING btree (merchant_id, environment, total_pence, created_at, payment_request_id, "position") INCLUDE (status, method, store_id);
CREATE INDEX transaction_item_customer ON transaction_item USING btree (merchant_id, environment, customer_id, created_at DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX transaction_item_newest ON transaction_item USING btree (merchant_id, environment, created_at DESC, payment_request_id, "position");
CREATE INDEX transaction_item_status ON transaction_item USING btree (merchant_id, environment, status, created_at DESC, payment_request_id, "position");
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on transaction_item to florin_system;
grant insert, select, update on transaction_item to florin_tenant;

create table transaction_word (
  merchant_id uuid not null,
  environment text not null,
  word text collate "C" not null,
  created_at timestamp with time zone not null,
  payment_request_id uuid not null,
  "position" integer not null,
  shared smallint not null,
  constraint transaction_word_pkey PRIMARY KEY (merchant_id, environment, word, created_at, payment_request_id, "position") INCLUDE (shared),
  constraint transaction_word_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on transaction_word to florin_system;
grant insert, select on transaction_word to florin_tenant;

create table transfer (
  merchant_id uuid not null,
  environment text not null,
  end_to_end_id text not null,
  message_id text not null,
  "position" integer not null,
  subject_id uuid not null,
  amount_pence bigint not null,
  creditor_encrypted bytea not null,
  reference text not null,
  outcome text,
  difference_pence bigint default 0 not null,
  held_pence bigint default 0 not null,
  unreturned_pence bigint default 0 not null,
  constraint transfer_pkey PRIMARY KEY (merchant_id, environment, end_to_end_id),
  constraint transfer_merchant_id_environment_message_id_fkey FOREIGN KEY (merchant_id, environment, message_id) REFERENCES transfer_batch(merchant_id, environment, message_id),
  constraint transfer_amount_pence_check CHECK ((amount_pence > 0)),
  constraint transfer_check CHECK (((unreturned_pence >= 0) AND (unreturned_pence <= held_pence))),
  constraint transfer_end_to_end_id_check CHECK ((length(end_to_end_id) <= 31)),
  constraint transfer_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint transfer_held_pence_check CHECK ((held_pence >= 0)),
  constraint transfer_outcome_check CHECK ((outcome = ANY (ARRAY['SETTLED'::text, 'REJECTED'::text, 'RETURNED'::text])))
);
CREATE UNIQUE INDEX transfer_by_id ON transfer USING btree (end_to_end_id);
CREATE INDEX transfer_of_batch ON transfer USING btree (merchant_id, environment, message_id, "position");
CREATE INDEX transfer_unreturned ON transfer USING btree (merchant_id, environment, subject_id) WHERE (unreturned_pence > 0);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on transfer to florin_system;
grant insert, select, update on transfer to florin_tenant;

create table transfer_batch (
  merchant_id uuid not null,
  environment text not null,
  message_id text not null,
  subject text not null,
  status text default 'OPEN'::text not null,
  execution_date date not null,
  debtor jsonb not null,
  on_behalf_of text not null,
  submissions integer default 0 not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  last_error text,
  refusal jsonb,
  created_at timestamp with time zone not null,
  constraint transfer_batch_pkey PRIMARY KEY (merchant_id, environment, message_id),
  constraint transfer_batch_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint transfer_batch_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint transfer_batch_message_id_check CHECK ((length(message_id) <= 35)),
  constraint transfer_batch_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'SUBMITTED'::text, 'REFUSED'::text]))),
  constraint transfer_batch_subject_check CHECK ((subject = ANY (ARRAY['REFUND'::text, 'PAYOUT'::text])))
);
CREATE INDEX transfer_batch_due ON transfer_batch USING btree (environment, due_at) WHERE (status = 'OPEN'::text);
CREATE UNIQUE INDEX transfer_batch_message ON transfer_batch USING btree (message_id);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on transfer_batch to florin_system;
grant insert, select, update on transfer_batch to florin_tenant;

create table transfer_entry (
  environment text not null,
  entry_key text not null,
  end_to_end_id text not null,
  kind text not null,
  amount_pence bigint not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  constraint transfer_entry_pkey PRIMARY KEY (environment, entry_key),
  constraint transfer_entry_amount_pence_check CHECK ((amount_pence > 0)),
  constraint transfer_entry_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint transfer_entry_kind_check CHECK ((kind = ANY (ARRAY['DEBIT'::text, 'RETURN'::text, 'DEPOSIT'::text, 'GIVEN_BACK'::text])))
);
CREATE INDEX transfer_entry_of_transfer ON transfer_entry USING btree (environment, end_to_end_id);
grant insert, select on transfer_entry to florin_system;

create table transfer_folder (
  environment text not null,
  folder_id uuid not null,
  last_file text,
  last_file_at timestamp with time zone,
  claimed_at timestamp with time zone default clock_timestamp() not null,
  constraint transfer_folder_pkey PRIMARY KEY (environment),
  constraint transfer_folder_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
grant insert, select, update on transfer_folder to florin_system;

create table webhook_attempt (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  delivery_id bigint not null,
  event_id uuid not null,
  attempt_no smallint not null,
  attempted_at timestamp with time zone not null,
  outcome text not null,
  detail text,
  status_code smallint,
  superseded boolean default false not null,
  dns_ms real,
  connect_ms real,
  first_byte_ms real,
  total_ms real,
  peer_address text,
  request_headers text,
  body_sha256 bytea,
  response_headers text,
  response_body bytea,
  retry_after_s integer,
  written_at timestamp with time zone default now() not null
) partition by range (written_at);
CREATE INDEX webhook_attempt_of_delivery ON ONLY webhook_attempt USING btree (merchant_id, environment, delivery_id, attempt_no);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on webhook_attempt to florin_system;
grant select on webhook_attempt to florin_tenant;

create table webhook_endpoint (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  api_version smallint not null,
  url text not null,
  description text,
  auth_kind text default 'NONE'::text not null,
  auth_encrypted bytea,
  version integer default 1 not null,
  rate_per_second smallint,
  is_paused boolean default false not null,
  paused_at timestamp with time zone,
  missed_since timestamp with time zone,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (merchant_id, environment, endpoint_id),
  constraint webhook_endpoint_merchant_id_environment_endpoint_id_is_pau_key UNIQUE (merchant_id, environment, endpoint_id, is_paused),
  constraint webhook_endpoint_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint webhook_endpoint_api_version_check CHECK ((api_version = ANY (ARRAY[1, 2]))),
  constraint webhook_endpoint_auth_kind_check CHECK ((auth_kind = ANY (ARRAY['NONE'::text, 'BASIC'::text, 'OAUTH2'::text]))),
  constraint webhook_endpoint_check CHECK (((auth_kind = 'NONE'::text) = (auth_encrypted IS NULL))),
  constraint webhook_endpoint_check1 CHECK ((is_paused = (paused_at IS NOT NULL))),
  constraint webhook_endpoint_description_check CHECK ((length(description) <= 100)),
  constraint webhook_endpoint_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint webhook_endpoint_rate_per_second_check CHECK (((rate_per_second >= 1) AND (rate_per_second <= 1000))),
  constraint webhook_endpoint_url_check CHECK ((length(url) <= 2048))
);
CREATE INDEX webhook_endpoint_newest ON webhook_endpoint USING btree (merchant_id, environment, created_at DESC, endpoint_id) WHERE (deleted_at IS NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on webhook_endpoint to florin_system;
grant insert, select, update on webhook_endpoint to florin_tenant;

create table webhook_endpoint_health (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  failure_count bigint default 0 not null,
  last_delivered_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  exhausted_count integer default 0 not null,
  exhausted_notified_at timestamp with time zone,
  constraint webhook_endpoint_health_pkey PRIMARY KEY (merchant_id, environment, endpoint_id),
  constraint webhook_endpoint_health_merchant_id_environment_endpoint_i_fkey FOREIGN KEY (merchant_id, environment, endpoint_id) REFERENCES webhook_endpoint(merchant_id, environment, endpoint_id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX webhook_endpoint_failing ON webhook_endpoint_health USING btree (endpoint_id) WHERE (failing_since IS NOT NULL);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on webhook_endpoint_health to florin_system;
grant insert, select on webhook_endpoint_health to florin_tenant;

create table webhook_hour (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  hour timestamp with time zone not null,
  attempts integer not null,
  delivered integer not null,
  took_ms bigint not null,
  slowest_ms integer not null,
  written_at timestamp with time zone default clock_timestamp() not null,
  constraint webhook_hour_pkey PRIMARY KEY (merchant_id, environment, endpoint_id, hour),
  constraint webhook_hour_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
) with (fillfactor=70);
CREATE INDEX webhook_hour_age ON webhook_hour USING btree (written_at);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on webhook_hour to florin_system;
grant select on webhook_hour to florin_tenant;

create table webhook_signing_secret (
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null,
  secret_encrypted bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  is_next boolean default false not null,
  constraint webhook_signing_secret_pkey PRIMARY KEY (merchant_id, environment, secret_id),
  constraint webhook_signing_secret_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchant(merchant_id),
  constraint webhook_signing_secret_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE UNIQUE INDEX webhook_signing_secret_current ON webhook_signing_secret USING btree (merchant_id, environment) WHERE ((expires_at IS NULL) AND (NOT is_next));
CREATE UNIQUE INDEX webhook_signing_secret_next ON webhook_signing_secret USING btree (merchant_id, environment) WHERE is_next;
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on webhook_signing_secret to florin_system;
grant insert, select, update on webhook_signing_secret to florin_tenant;

create table work_lease (
  merchant_id uuid not null,
  environment text not null,
  subject_id uuid not null,
  work text not null,
  leased_until timestamp with time zone not null,
  failures integer default 0 not null,
  last_error text,
  constraint work_lease_pkey PRIMARY KEY (merchant_id, environment, subject_id, work),
  constraint work_lease_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text]))),
  constraint work_lease_work_check CHECK ((work = ANY (ARRAY['EXPIRE'::text, 'ABANDON'::text, 'ALERT'::text, 'POLL'::text, 'CAPTURE'::text, 'ANSWER'::text, 'HAND_OVER'::text, 'POLL_REFUND'::text, 'FILL_PAYOUT'::text, 'CLOSE_PAYOUT'::text, 'END_LINK'::text, 'READ_ACCOUNTS'::text, 'ERASE'::text, 'ERASE_PAYMENT'::text, 'SNAPSHOT'::text, 'MONEY_DAY'::text, 'FOLD'::text, 'NOTICE'::text, 'ENDPOINT_MAIL'::text, 'STATEMENT'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX work_lease_age ON work_lease USING btree (leased_until);
CREATE INDEX work_lease_failed ON work_lease USING btree (work, leased_until) WHERE (failures > 0);
-- policy system to florin_system using true
-- policy tenant to florin_tenant using (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))
grant delete, insert, select, update on work_lease to florin_system;
grant select on work_lease to florin_tenant;

CREATE OR REPLACE FUNCTION florin.attempt_outcome(status text, paid bigint, gone_back bigint, disputes jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (status <> 'COMPLETED'::text) THEN status WHEN (disputes @> '[{"status": "OPEN"}]'::jsonb) THEN 'DISPUTED'::text WHEN (disputes @> '[{"status": "LOST"}]'::jsonb) THEN 'DISPUTE_LOST'::text WHEN (gone_back <= 0) THEN status WHEN (gone_back < paid) THEN 'PART_REFUNDED'::text ELSE 'REFUNDED'::text END;

CREATE OR REPLACE FUNCTION florin.audit_field(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(octet_length(given)::text || ':' || given, '-')
$function$;

CREATE OR REPLACE FUNCTION florin.audit_text(r audit_record)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws(E'\n',
    audit_field(r.position::text),
    audit_field(to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    audit_field(r.kind), audit_field(r.record_id::text), audit_field(r.channel),
    audit_field(r.actor_kind), audit_field(r.actor_id::text), audit_field(r.actor),
    audit_field(r.address), audit_field(r.action), audit_field(r.merchant_id::text),
    audit_field(r.environment), audit_field(r.detail), audit_field(r.outcome),
    audit_field(encode(r.previous_hash, 'hex')))
$function$;

CREATE OR REPLACE FUNCTION florin.begin_cluster_epoch()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
declare
  -- More transactions than a server runs in years: those that a restore took away had such numbers.
  gap constant bigint := 1::bigint << 40;
  last record;
  newest numeric := 0;
  raised_by bigint := 0;
begin
  if is_known_epoch() then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('florin epoch', 0));
  if is_known_epoch() then
    return;
  end if;
  select * into last from cluster_epoch order by epoch desc limit 1;
  if last.epoch is not null then
    newest := pg_current_xact_id()::text::numeric + last.raised_by;
    -- In its own cluster a number is never below what was written there.
    if last.system_identifier <> (select system_identifier from pg_control_system()) then
      select greatest(newest, max(written)) into newest from (
        select max(written_in::text::numeric) as written from event
        union all select max(written_in::text::numeric) from ledger_entry
        union all select max(up_to_written_in::text::numeric) from ledger_snapshot
        union all select max(up_to_written_in::text::numeric) from payout_cursor) w;
    end if;
    raised_by := newest + gap - pg_current_xact_id()::text::numeric;
  end if;
  insert into cluster_epoch (epoch, system_identifier, timeline, schema_oid, raised_by, confirmed_at,
      confirmed_by)
    select coalesce(last.epoch, 0) + 1, c.system_identifier,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
      'florin'::regnamespace::oid, raised_by,
      case when last.epoch is null then clock_timestamp() end,
      case when last.epoch is null then 'the first start' end
    from pg_control_system() c;
  perform number_from(raised_by);
end $function$;

CREATE OR REPLACE FUNCTION florin.business_now(of_merchant uuid, of_environment text)
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  select date_trunc('milliseconds', clock_timestamp()) + florin.clock_offset(of_merchant, of_environment)
$function$;

CREATE OR REPLACE FUNCTION florin.cell_has(status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select status in ('PREPARING', 'COPYING', 'CANCELLED', 'HERE') and not florin.may_have_gone(status)
$function$;

CREATE OR REPLACE FUNCTION florin.cell_tables()
 RETURNS TABLE(table_name text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'florin', 'pg_temp'
AS $function$
  select c.relname::text from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and coalesce(obj_description(c.oid, 'pg_class'), '') not like 'Not replicated:%'
    -- detached, and dropped next
    and c.relname !~ '_\d{4}_\d{2}(_\d{2})?$'
  order by 1
$function$;

CREATE OR REPLACE FUNCTION florin.chain_audit_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.at := date_trunc('milliseconds', clock_timestamp());
  new.position := head.position + 1;
  new.previous_hash := head.hash;
  new.hash := sha256(convert_to(audit_text(new), 'UTF8'));
  update audit_head set position = new.position, hash = new.hash;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION florin.clock_offset(of_merchant uuid, of_environment text)
 RETURNS interval
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select c.offset_ms * interval '1 millisecond' from florin.tenant_clock c
      where c.merchant_id = of_merchant and c.environment = of_environment),
    interval '0')
$function$;

CREATE OR REPLACE FUNCTION florin.contested_pence(disputes jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT sum(((d.value ->> 'amountPence'::text))::bigint) AS sum FROM jsonb_array_elements(contested_pence.disputes) d(value));

CREATE OR REPLACE FUNCTION florin.count_bank_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.bank_transaction_day as d
    (merchant_id, environment, account_id, day, transactions)
  select c.merchant_id, c.environment, c.account_id, c.day, sum(c.rows)
  from (
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date as day,
      case when tg_op = 'DELETE' then -1 else 1 end as rows
    from changed) c
  group by c.merchant_id, c.environment, c.account_id, c.day
  order by c.day
  on conflict (merchant_id, environment, account_id, day)
    do update set transactions = d.transactions + excluded.transactions;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.count_default_rows(target text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
declare
  found bigint;
begin
  execute format('select count(*) from (select from %I limit 1000) r', target || '_default') into found;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION florin.detach_partitions_before(target text, moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '500ms'
AS $function$
declare
  old record;
  detached int := 0;
begin
  for old in select * from partition_bounds(target) b where b.ends <= moment order by b.ends loop
    execute format('alter table %I detach partition %I', target, old.partition_name);
    detached := detached + 1;
  end loop;
  return detached;
end $function$;

CREATE OR REPLACE FUNCTION florin.detach_replaced_reference()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.card_detachment (merchant_id, environment, reference_id, customer_id,
    account_key, reference_encrypted, reason)
  values (old.merchant_id, old.environment, old.reference_id, old.customer_id,
    old.account_key, old.reference_encrypted, 'REPLACED');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.detached_partitions(target text)
 RETURNS TABLE(partition_name text, blocks integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
  select c.relname::text, (size.bytes / current_setting('block_size')::int)::int
  from pg_class c cross join lateral pg_relation_size(c.oid) size(bytes)
  where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ ('^' || target || '_\d{4}_\d{2}(_\d{2})?$') and size.bytes is not null
  order by 1
$function$;

CREATE OR REPLACE FUNCTION florin.disputed_pence(disputes jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((SELECT sum(((d.value ->> 'amountPence'::text))::bigint) AS sum FROM jsonb_array_elements(disputed_pence.disputes) d(value) WHERE ((d.value ->> 'status'::text) <> 'WON'::text)), (0)::numeric);

CREATE OR REPLACE FUNCTION florin.drop_detached_partition(target text, partition text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
begin
  perform from detached_partitions(target) d where d.partition_name = partition;
  if found then execute format('drop table if exists %I', partition); end if;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION florin.ensure_partitions(target text, ahead integer, since timestamp with time zone DEFAULT now())
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
 SET "TimeZone" TO 'UTC'
 SET lock_timeout TO '2s'
AS $function$
declare
  fallback text := target || '_default';
  known record;
  periods timestamptz[];
  period timestamptz;
  partition text;
  options text;
  moved bigint;
  found bigint := 0;
  -- While a merchant is carried to another cell, what moves in would not be sent, and its removal would be.
  is_carried boolean := exists (select from pg_publication where pubname like 'florin\_cell\_%');
  stays boolean;
begin
  -- Of two workers one makes them.
  perform pg_advisory_xact_lock(hashtextextended('florin partitions', 0));
  select * into strict known from partitioned_tables() t where t.table_name = target;
  select ' with (' || array_to_string(reloptions, ', ') || ')' into options from pg_class
    where oid = to_regclass('florin.' || quote_ident(fallback));
  execute format(
    'select array(select distinct date_trunc(%L, %I) as begins from %I
     union select generate_series(date_trunc(%L, $2), date_trunc(%L, now()) + $1 * %L::interval, %L)
     order by begins)',
    known.step, known.written_column, fallback, known.step, known.step, '1 ' || known.step,
    '1 ' || known.step)
    into periods using ahead, since;
  foreach period in array periods loop
    partition := target || '_' || to_char(period,
      case known.step when 'day' then 'YYYY_MM_DD' else 'YYYY_MM' end);
    continue when to_regclass('florin.' || quote_ident(partition)) is not null;
    if is_carried then
      execute format('select exists (select from %1$I
        where %2$I >= $1 - interval ''14 hours'' and %2$I < $1 + %3$L::interval)',
        fallback, known.written_column, '1 ' || known.step) into stays using period;
      continue when stays;
    end if;
    execute format('create table %I (like %I including all excluding identity)%s', partition,
      fallback, options);
    if (select relreplident = 'f' from pg_class where oid = fallback::regclass) then
      execute format('alter table %I replica identity full', partition);
    end if;
    declare
      -- An older partition may end at midnight of another zone: the next one begins there.
      begins timestamptz := coalesce((select max(b.ends) from partition_bounds(target) b
        where b.ends between period - interval '14 hours'
          and period + interval '14 hours'), period);
      ends timestamptz := period + ('1 ' || known.step)::interval;
    begin
      execute format('lock table %I in access exclusive mode', fallback);
      execute format('insert into %1$I select * from %2$I where %3$I >= %4$L and %3$I < %5$L',
        partition, fallback, known.written_column, begins, ends);
      get diagnostics moved = row_count;
      if moved > 0 then
        execute format('alter table %I disable trigger user', fallback);
        execute format('delete from %1$I where %2$I >= %3$L and %2$I < %4$L', fallback,
          known.written_column, begins, ends);
        execute format('alter table %I enable trigger user', fallback);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', target,
        partition, begins, ends);
    end;
    found := found + moved;
  end loop;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION florin.fee_pence(amount_pence bigint, fixed_pence bigint, basis_points integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (fixed_pence + (((amount_pence * basis_points) + 5000) / 10000));

CREATE OR REPLACE FUNCTION florin.fence_cell_table(target text, of_merchant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'florin', 'pg_temp'
AS $function$
begin
  -- Another move may change the list: it is read when that has ended. Partitions are read through their
  -- table: one that autovacuum works on is not waited for.
  execute format('lock table only %I in access exclusive mode', target);
  perform fence_merchants(target,
    array_append(array_remove(fenced_merchants(target), of_merchant), of_merchant));
end $function$;

CREATE OR REPLACE FUNCTION florin.fence_merchants(target text, of_merchants uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'florin', 'pg_temp'
AS $function$
declare
  others text := format('(merchant_id <> all (%L::uuid[])) is not false
    or current_user not in (''florin_system'', ''florin_tenant'')', of_merchants);
  policy text;
begin
  foreach policy in array array['cell work', 'cell', 'cell delete'] loop
    execute format('drop policy if exists %I on %I', policy, target);
  end loop;
  if cardinality(of_merchants) = 0 then
    return;
  end if;
  -- What is looked up before it is known whose it is, and logs and leases that one statement writes for
  -- many merchants, stay open to work across merchants: no money and no status stands there.
  if target not in ('access_secret', 'card_account', 'page_opening', 'request_log', 'webhook_attempt',
    'webhook_hour', 'work_lease')
  then
    execute format('create policy "cell work" on %I as restrictive to florin_system
      using (%s or merchant_id not in (select m.merchant_id from cell_move m where not cell_has(m.status)))
      with check (%s or require_in_cell(merchant_id, true))', target, others, others);
  end if;
  execute format('create policy cell on %I as restrictive to florin_tenant
    using (%s or require_in_cell(merchant_id, false)) with check (%s or require_in_cell(merchant_id, true))',
    target, others, others);
  execute format('create policy "cell delete" on %I as restrictive for delete to florin_tenant
    using (%s or require_in_cell(merchant_id, true))', target, others);
end $function$;

CREATE OR REPLACE FUNCTION florin.fenced_merchants(target text)
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO 'florin', 'pg_temp'
AS $function$
  select coalesce(array_agg(found[1]::uuid), '{}')
  from pg_policy p, regexp_matches(pg_get_expr(p.polqual, p.polrelid),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as found
  where p.polrelid = target::regclass and p.polname = 'cell'
$function$;

CREATE OR REPLACE FUNCTION florin.included_pence(amount_pence bigint, percentage numeric, others numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((((2 * amount_pence))::numeric * percentage) * (100)::numeric) + ((((100)::numeric + percentage) + others) * (100)::numeric)))::bigint / ((((2)::numeric * (((100)::numeric + percentage) + others)) * (100)::numeric))::bigint);

CREATE OR REPLACE FUNCTION florin.is_known_epoch()
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select coalesce((
    select (e.system_identifier, e.timeline, e.schema_oid)
      = (c.system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
         'florin'::regnamespace::oid)
    from florin.cluster_epoch e, pg_control_system() c order by e.epoch desc limit 1), false)
$function$;

CREATE OR REPLACE FUNCTION florin.london_day(instant timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select (instant at time zone 'Europe/London')::date $function$;

CREATE OR REPLACE FUNCTION florin.london_midnight(day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select day::timestamp at time zone 'Europe/London' $function$;

CREATE OR REPLACE FUNCTION florin.mail_added_passkey()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform florin.mail_notice(new.person_id, 'PASSKEY_ADDED', jsonb_build_object('name', new.name));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.mail_changed_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform florin.mail_notice(new.person_id,
    case when new.two_factor_enabled then 'APP_ADDED' else 'APP_REMOVED' end, '{}');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.mail_changed_codes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform florin.mail_notice(new.person_id, 'RECOVERY_CODES_CHANGED', '{}');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.mail_changed_password()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform florin.mail_notice(new.person_id, 'PASSWORD_CHANGED', '{}');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.mail_notice(of_person uuid, kind text, detail jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into florin.person_mail (person_id, kind, recipient, detail, expires_at)
  select p.person_id, kind, p.email, detail, clock_timestamp() + interval '7 days'
  from florin.person p where p.person_id = of_person
$function$;

CREATE OR REPLACE FUNCTION florin.mail_removed_passkey()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform florin.mail_notice(old.person_id, 'PASSKEY_REMOVED', jsonb_build_object('name', old.name));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.may_have_gone(status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select status in ('PREPARING', 'COPYING')
    and exists (select from florin.cluster_epoch e where e.confirmed_at is null)
$function$;

CREATE OR REPLACE FUNCTION florin.move_bank_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.bank_transaction_day as d
    (merchant_id, environment, account_id, day, transactions)
  select c.merchant_id, c.environment, c.account_id, c.day, sum(c.rows)
  from (
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date as day,
      1 as rows from changed
    union all
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date, -1 from before
    ) c
  group by c.merchant_id, c.environment, c.account_id, c.day
  having sum(c.rows) <> 0
  order by c.day
  on conflict (merchant_id, environment, account_id, day)
    do update set transactions = d.transactions + excluded.transactions;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.newest_epoch()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$ select max(epoch) from cluster_epoch $function$;

CREATE OR REPLACE FUNCTION florin.note_attempt_outcome()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before text := attempt_outcome(old.status, old.amount_pence + old.tip_pence,
    old.refunded_pence + old.refund_reserved_pence + refunded_at_processor_pence(old.refunds),
    old.disputes);
  after text := attempt_outcome(new.status, new.amount_pence + new.tip_pence,
    new.refunded_pence + new.refund_reserved_pence + refunded_at_processor_pence(new.refunds),
    new.disputes);
begin
  insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
    amount_pence)
  select i.merchant_id, i.environment, london_day(i.created_at), i.store_id, i.method, c.status,
    sum(c.items), sum(c.items * i.total_pence)
  from transaction_item i, lateral (values (old.status, 1), (before, -1), (new.status, -1), (after, 1))
    as c (status, items)
  where i.merchant_id = new.merchant_id and i.environment = new.environment
    and i.payment_request_id = new.payment_request_id and i.position = new.position
  group by 1, 2, 3, 4, 5, 6 having sum(c.items) <> 0;
  update transaction_item i set status = after
  where i.merchant_id = new.merchant_id and i.environment = new.environment
    and i.payment_request_id = new.payment_request_id and i.position = new.position
    and i.status <> after;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.note_case()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.kind when 'REFUND_ACCOUNT_NEEDED' then 'REFUND_WAITS' else 'DISPUTE' end,
    jsonb_build_object('case', new.kind, 'amountPence', new.evidence ->> 'amountPence',
      'paymentRequestId', new.evidence ->> 'paymentRequestId',
      'respondBy', new.evidence ->> 'respondBy'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.note_payout()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.status when 'SETTLED' then 'PAYOUT_PAID' else 'PAYOUT_FAILED' end,
    jsonb_build_object('payoutId', new.payout_id, 'reference', new.reference,
      'amountPence', (new.amount_pence - case new.status when 'SETTLED' then coalesce((
        select sum(t.amount_pence) from florin.transfer f
        join florin.transfer t on t.merchant_id = f.merchant_id
          and t.environment = f.environment and t.message_id = f.message_id
        where f.merchant_id = new.merchant_id and f.environment = new.environment
          and f.end_to_end_id = new.end_to_end_id
          and t.outcome in ('REJECTED', 'RETURNED')), 0) else 0 end)::text));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.note_proposed_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'REFUND_PROPOSED',
    jsonb_build_object('amountPence', new.amount_pence::text, 'by', new.proposed_by_name,
      'paymentRequestId', new.payment_request_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.note_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'SUSPENSION',
    jsonb_build_object('reason', case when new.resumed_at is null then new.reason end));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.number_from(raised_by bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'florin', 'pg_temp'
AS $function$
begin
  execute format('create or replace function florin.written_in() returns xid8 language sql stable as
    $f$ select (pg_current_xact_id()::text::bigint + %s)::text::xid8 $f$', raised_by);
  execute format('create or replace function florin.written_horizon() returns xid8
    language sql stable as
    $f$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + %s)::text::xid8 $f$',
    raised_by);
end $function$;

CREATE OR REPLACE FUNCTION florin.open_cell_table(target text, of_merchant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'florin', 'pg_temp'
AS $function$
begin
  execute format('lock table only %I in access exclusive mode', target);
  if of_merchant = any (fenced_merchants(target)) then
    perform fence_merchants(target, array_remove(fenced_merchants(target), of_merchant));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION florin.partition_bounds(target text)
 RETURNS TABLE(partition_name text, begins timestamp with time zone, ends timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'florin', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
  select c.relname::text, (b.found)[1]::timestamptz, (b.found)[2]::timestamptz
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select regexp_match(pg_get_expr(c.relpartbound, c.oid),
    'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)') as found) b
  where i.inhparent = to_regclass('florin.' || quote_ident(target)) and b.found is not null
$function$;

CREATE OR REPLACE FUNCTION florin.partitioned_tables()
 RETURNS TABLE(table_name text, step text, written_column text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'florin', 'pg_temp'
AS $function$
  select c.relname::text,
    case when obj_description(c.oid, 'pg_class') like '%by day%' then 'day' else 'month' end,
    a.attname::text
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where c.relnamespace = 'florin'::regnamespace and not c.relispartition
  order by c.relname
$function$;

CREATE OR REPLACE FUNCTION florin.plain_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN lower(regexp_replace(TRIM(BOTH FROM name), '\s+'::text, ' '::text, 'g'::text));

CREATE OR REPLACE FUNCTION florin.probe_space()
 RETURNS bigint
 LANGUAGE sql
 SET work_mem TO '64kB'
 SET temp_tablespaces TO ''
AS $function$
  select count(n.*) from generate_series(1, 50000) n
$function$;

CREATE OR REPLACE FUNCTION florin.protect_tenant_table(target regclass, rights text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to florin_tenant
       using (merchant_id = any (current_setting(''florin.merchants'')::uuid[]))', target);
  execute format('create policy system on %s to florin_system using (true)', target);
  execute format('grant %s on %s to florin_tenant', rights, target);
  execute format('grant select, insert, update, delete on %s to florin_system', target);
end $function$;

CREATE OR REPLACE FUNCTION florin.raise_cluster_epoch(above xid8)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
AS $function$
declare
  gap constant bigint := 1::bigint << 40;
  last cluster_epoch;
  raised bigint;
begin
  if written_in()::text::numeric >= above::text::numeric + gap / 2 then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('florin epoch', 0));
  lock table event, ledger_entry, ledger_snapshot, payout_cursor, money_day_cursor
    in share row exclusive mode;
  select * into strict last from cluster_epoch order by epoch desc limit 1;
  raised := above::text::bigint + gap - pg_current_xact_id()::text::bigint;
  insert into cluster_epoch (epoch, system_identifier, timeline, schema_oid, raised_by, confirmed_at,
      confirmed_by)
    values (last.epoch + 1, last.system_identifier, last.timeline, last.schema_oid, raised,
      clock_timestamp(), 'a merchant came from another cell');
  perform number_from(raised);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION florin.read_detached_partition(target text, partition text, from_block integer, to_block integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'florin', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
begin
  perform from detached_partitions(target) d where d.partition_name = partition;
  if not found then raise '% is no detached partition of %', partition, target; end if;
  return query execute format(
    'select row_to_json(r)::text from %I r where ctid >= %L and ctid < %L', partition,
    format('(%s,0)', from_block), format('(%s,0)', to_block));
end $function$;

CREATE OR REPLACE FUNCTION florin.refunded_at_processor_pence(refunds jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((SELECT sum(((r.value ->> 'amountPence'::text))::bigint) AS sum FROM jsonb_array_elements(refunded_at_processor_pence.refunds) r(value) WHERE ((r.value ->> 'failedAt'::text) IS NULL)), (0)::numeric);

CREATE OR REPLACE FUNCTION florin.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION florin.refuse_known_idempotency_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', new.merchant_id, new.environment, new.operation, new.idempotency_key), 0));
  if exists (select from florin.idempotency i
    where i.merchant_id = new.merchant_id and i.environment = new.environment
      and i.operation = new.operation and i.idempotency_key = new.idempotency_key)
  then
    return null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION florin.release_explained()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from florin.held_payment
  where entry_key <> '' and environment || ' ' || entry_key = new.subject;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION florin.require_idempotency_key(is_claimed boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if not is_claimed then
    raise unique_violation using constraint = 'idempotency_pkey', message = 'Idempotency-Key in use';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION florin.require_in_cell(of_merchant uuid, is_write boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
declare
  found record;
begin
  select m.status, c.address into found from florin.cell_move m
    join florin.cell c on c.cell_id = m.other_cell_id where m.merchant_id = of_merchant;
  if found.status in ('GONE', 'ARRIVING', 'UNDONE') then
    raise exception using errcode = 'FL002', detail = found.address,
      message = 'The merchant is in another cell.';
  elsif is_write and (found.status = 'PAUSED' or florin.may_have_gone(found.status)) then
    raise exception using errcode = 'FL001', message = 'The merchant is being moved to another cell.';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION florin.require_members_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from florin.cell_move m where m.status = 'PAUSED'
      and m.merchant_id in (old.merchant_id, new.merchant_id)) then
    raise exception using errcode = 'FL001', message = 'The merchant is being moved to another cell.';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION florin.require_none_hidden()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  if exists (select from florin.cell_move m where m.status = 'PAUSED' or florin.may_have_gone(m.status)) then
    raise exception using errcode = 'FL001', message = 'A merchant is being moved to another cell.';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION florin.wire_status(status text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (status = ANY (ARRAY['PART_REFUNDED'::text, 'REFUNDED'::text, 'DISPUTED'::text, 'DISPUTE_LOST'::text])) THEN 'COMPLETED'::text ELSE status END;

CREATE OR REPLACE FUNCTION florin.written_horizon()
 RETURNS xid8
 LANGUAGE sql
 STABLE
AS $function$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 0)::text::xid8 $function$;

CREATE OR REPLACE FUNCTION florin.written_in()
 RETURNS xid8
 LANGUAGE sql
 STABLE
AS $function$ select (pg_current_xact_id()::text::bigint + 0)::text::xid8 $function$;
