import type { Schedule } from '#simulator/bank/payments/schedule.ts';
import type { BankStore, Consent, Payment } from '#simulator/bank/ports.ts';
import { findBehaviour } from '#simulator/transfers/behaviours.ts';
import { planCredits } from '#simulator/transfers/plan-entries.ts';
import { planNotifications, resourceUpdate } from './notification-store.ts';
import type { Pool } from './open-pool.ts';

type PaymentStore = Pick<BankStore, 'submitPayment' | 'findPayment' | 'holderOfKey'>;

export const paymentStore = (pool: Pool): PaymentStore => {
  return {
    submitPayment: async (payment, entries, consent, claim) => {
      const values = [
        ...[payment.bankId, payment.consentId, payment.id, new Date(payment.acceptedAt)],
        ...[JSON.stringify(payment.schedule), claim.clientId, claim.key, claim.bodyHash],
        ...[new Date(claim.at), consent.debtor?.id, consent.amountPence],
        ...[entries.map((entry) => entry.kind), entries.map((entry) => entry.effectiveAfterMs)],
        JSON.stringify(creditRows(payment, consent)),
        changesOf(payment, consent),
      ];
      try {
        const { rows } = await pool.query<{ paid: boolean }>(submitPayment, values);
        return rows[0]?.paid === true;
      } catch (error) {
        // The key was claimed at the same moment for another consent: nothing was written.
        if ((error as { code?: string }).code === uniqueViolation) return false;
        throw error;
      }
    },
    findPayment: async (bankId, id) => {
      const { rows } = await pool.query<PaymentRow>(selectPayment, [bankId, id]);
      return rows[0] && paymentOf(rows[0]);
    },
    holderOfKey: async (claim) => {
      const values = [claim.bankId, claim.clientId, claim.operation, claim.key];
      const { rows } = await pool.query<KeyRow>(selectKey, values);
      return rows[0] && { bodyHash: rows[0].body_hash, resourceId: rows[0].resource_id };
    },
  };
};

// When its status changes after it was accepted, in real time.
const changesOf = ({ acceptedAt, schedule }: Payment, consent: Consent): readonly Date[] =>
  schedule.slice(1).map(({ afterMs }) => new Date(acceptedAt + afterMs - consent.clockOffsetMs));

const uniqueViolation = '23505';

// One statement: the consent is consumed, the key claimed, the payment and its ledger entries inserted.
// A concurrent submission waits for the consent's row and then finds it no longer authorised.
const submitPayment = `
  with consumed as (
    update simulator.consent set status = 'COND', status_updated_at = $9
    where bank_id = $1 and id = $2 and status = 'AUTH'
    returning id
  ), claimed as (
    insert into simulator.idempotency_key
      (bank_id, client_id, operation, key, body_hash, resource_id, created_at)
    select $1, $6, 'payment', $7, $8, $3, $9 from consumed
  ), paid as (
    insert into simulator.payment (bank_id, id, consent_id, accepted_at, schedule)
    select $1, $3, $2, $4, $5::json from consumed
    returning id
  ), booked as (
    insert into simulator.ledger_entry
      (bank_id, payment_id, account_id, kind, amount_pence, effective_after_ms)
    select $1, $3, $10, planned.kind, $11, planned.effective_after_ms
    from paid, unnest($12::text[], $13::bigint[]) as planned (kind, effective_after_ms)
  ), credited as (
    insert into simulator.account_entry (sort_code, account_number, direction, kind, amount_pence,
      end_to_end_id, shows_id, counterparty, reference, consent_id, booked_at, stated_at)
    select sort_code, account_number, direction, kind, amount_pence,
      end_to_end_id, shows_id, counterparty, reference, consent_id, booked_at, stated_at
    from paid, json_populate_recordset(null::simulator.account_entry, $14)
  ), notified as (${planNotifications(
    `select $1 as bank_id, $6 as client_id, $2 as consent_id, $3 as resource_id, planned.at
      from paid, unnest($15::timestamptz[]) as planned (at)`,
    resourceUpdate,
    'domestic-payment',
  )}
  )
  select exists (select from paid) as paid`;

const selectPayment = `
  select bank_id, id, consent_id, accepted_at, schedule
  from simulator.payment where bank_id = $1 and id = $2`;

const selectKey = `
  select body_hash, resource_id from simulator.idempotency_key
  where bank_id = $1 and client_id = $2 and operation = $3 and key = $4`;

type KeyRow = {
  readonly body_hash: string;
  readonly resource_id: string;
};

type PaymentRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly consent_id: string;
  readonly accepted_at: Date;
  readonly schedule: Schedule;
};

const paymentOf = (row: PaymentRow): Payment => ({
  bankId: row.bank_id,
  id: row.id,
  consentId: row.consent_id,
  acceptedAt: row.accepted_at.getTime(),
  schedule: row.schedule,
});

// Entries of a payment on the payee's account, as rows of the account's book.
const creditRows = (payment: Payment, consent: Consent) => {
  const { creditor, amountPence, reference, debtor } = consent;
  const magic = findBehaviour({
    ...{ reference, amountPence, ordered: undefined, accountNumber: undefined },
  });
  const counterparty = {
    name: debtor?.holderName ?? '',
    sortCode: debtor?.sortCode ?? '',
    accountNumber: debtor?.accountNumber ?? '',
  };
  return planCredits(payment.schedule).map(({ direction, kind, afterMs }) => ({
    sort_code: creditor.sortCode,
    account_number: creditor.accountNumber,
    ...{ direction, kind, counterparty, reference },
    amount_pence: amountPence.toString(),
    end_to_end_id: consent.endToEndIdentification,
    shows_id: magic.showsEndToEndId,
    consent_id: consent.id,
    booked_at: new Date(payment.acceptedAt - consent.clockOffsetMs + afterMs),
    stated_at: new Date(payment.acceptedAt + afterMs),
  }));
};
