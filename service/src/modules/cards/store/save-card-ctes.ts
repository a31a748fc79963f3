import { sql } from '#platform/database/sql.ts';
import type { CardDraft, Detachment } from '../save-card.ts';

export type SaveCardValues = {
  readonly merchantId: string;
  readonly environment: string;
  readonly cards: string;
};

const savedColumns = `card_id uuid, customer_id uuid, attempt_id uuid, account_key text,
  reference_id uuid, reference text, fingerprint text, cardholder_name text, brand text,
  funding text, category text, country text, last_four text, expiry text, recurrence_type text,
  network_transaction_id text, result text, flow text, version text, eci text, ds_trans_id text,
  amount_pence bigint, authenticated_at timestamptz, saved_at timestamptz`;

/**
 * Table expressions for the statement that records the outcome of a payment: the card that it saved
 * and the references that the processor must detach, or nothing unless `guard` has a row. The value
 * is `:cards`. An attempt saves once. The same card saved again keeps its id and gets the newer
 * reference, expiry and proof. A reference that is not saved is detached here, an earlier one by the
 * trigger `card_reference_replaced`, which alone sees it when two save the card concurrently. A
 * customer who is being deleted is waited for, so that no card is left without a customer.
 */
export const saveCardCtes = (guard: string) => sql('merchantId', 'environment', 'cards')`
  card_saving as materialized (
    select s.*, clock_offset(:merchantId::uuid, :environment::text) as moved
    from ${guard}, jsonb_to_recordset(:cards::jsonb -> 'saved') as s (${savedColumns})
    where not exists (select from card_authentication a
      where a.merchant_id = :merchantId::uuid and a.environment = :environment::text
        and a.attempt_id = s.attempt_id)
  ),
  card_owner as materialized (
    select c.customer_id from customer c
    where c.merchant_id = :merchantId::uuid and c.environment = :environment::text
      and c.customer_id = any (array(select s.customer_id from card_saving s))
    for key share
  ),
  card_saved as (
    insert into card as k (merchant_id, environment, card_id, customer_id, account_key,
      reference_id, reference_encrypted, fingerprint, cardholder_name, brand, funding, category,
      country, last_four, expiry, recurrence_type, network_transaction_id, saved_by_attempt_id,
      authenticated_at, created_at, updated_at)
    select :merchantId::uuid, :environment::text, s.card_id, s.customer_id, s.account_key,
      s.reference_id, decode(s.reference, 'hex'), decode(s.fingerprint, 'hex'), s.cardholder_name,
      s.brand, s.funding, s.category, s.country, s.last_four, s.expiry, s.recurrence_type,
      s.network_transaction_id, s.attempt_id,
      coalesce(s.authenticated_at + s.moved, s.saved_at), s.saved_at, s.saved_at
    from card_saving s join card_owner o on o.customer_id = s.customer_id
    on conflict (merchant_id, environment, customer_id, fingerprint) where deleted_at is null
    do update set account_key = excluded.account_key, reference_id = excluded.reference_id,
      reference_encrypted = excluded.reference_encrypted,
      cardholder_name = coalesce(excluded.cardholder_name, k.cardholder_name),
      brand = excluded.brand, funding = excluded.funding, category = excluded.category,
      country = excluded.country, last_four = excluded.last_four, expiry = excluded.expiry,
      recurrence_type = excluded.recurrence_type,
      network_transaction_id =
        coalesce(excluded.network_transaction_id, k.network_transaction_id),
      saved_by_attempt_id = excluded.saved_by_attempt_id,
      authenticated_at = excluded.authenticated_at, updated_at = excluded.updated_at
    where k.authenticated_at <= excluded.authenticated_at
    returning k.card_id, k.customer_id, k.saved_by_attempt_id as attempt_id, k.authenticated_at
  ),
  card_proof as (
    insert into card_authentication (merchant_id, environment, attempt_id, card_id, customer_id,
      result, flow, version, eci, ds_trans_id, network_transaction_id, amount_pence,
      authenticated_at)
    select :merchantId::uuid, :environment::text, s.attempt_id, k.card_id, s.customer_id,
      s.result, s.flow, s.version, s.eci, s.ds_trans_id, s.network_transaction_id,
      s.amount_pence, k.authenticated_at
    from card_saving s join card_saved k on k.attempt_id = s.attempt_id
  ),
  card_detached as (
    insert into card_detachment (merchant_id, environment, reference_id, customer_id, account_key,
      reference_encrypted, reason)
    select :merchantId::uuid, :environment::text, s.reference_id, s.customer_id, s.account_key,
      decode(s.reference, 'hex'), 'NOT_SAVED'
    from card_saving s left join card_saved k on k.attempt_id = s.attempt_id
    where k.card_id is null
    union all
    select :merchantId::uuid, :environment::text, d.reference_id, d.customer_id, d.account_key,
      decode(d.reference, 'hex'), d.reason
    from ${guard}, jsonb_to_recordset(:cards::jsonb -> 'detached') as d (reference_id uuid,
      customer_id uuid, account_key text, reference text, reason text)
  )`;

/** `:cards` of `saveCardCtes`. */
export const cardsValue = (
  saved: readonly CardDraft[],
  detached: readonly Detachment[] = [],
): string => {
  if (saved.length === 0 && detached.length === 0) return nothing;
  return JSON.stringify({
    saved: saved.map((draft) => ({
      card_id: draft.cardId,
      customer_id: draft.customerId,
      attempt_id: draft.attemptId,
      account_key: draft.accountKey,
      reference_id: draft.referenceId,
      reference: draft.referenceEncrypted.toString('hex'),
      fingerprint: draft.fingerprint?.toString('hex') ?? null,
      cardholder_name: draft.cardholderName,
      brand: draft.brand,
      funding: draft.funding,
      category: draft.category,
      country: draft.country,
      last_four: draft.lastFour,
      expiry: draft.expiry,
      recurrence_type: draft.recurrenceType,
      network_transaction_id: draft.networkTransactionId,
      result: draft.authentication.result,
      flow: draft.authentication.flow,
      version: draft.authentication.version,
      eci: draft.authentication.eci,
      ds_trans_id: draft.authentication.dsTransId,
      amount_pence: draft.amountPence.toString(),
      authenticated_at: draft.authentication.at,
      saved_at: draft.savedAt,
    })),
    detached: detached.map((each) => ({
      reference_id: each.referenceId,
      customer_id: each.customerId,
      account_key: each.accountKey,
      reference: each.referenceEncrypted.toString('hex'),
      reason: each.reason,
    })),
  });
};

const nothing = JSON.stringify({ saved: [], detached: [] });
