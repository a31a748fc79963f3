import type { Consent, KeyClaim, Party, Payment } from '#simulator/bank/model.ts';
import { kindOfConsent } from '#simulator/bank/payments/order-kinds.ts';
import { payeeEntries, payerEntries } from '#simulator/bank/payments/schedule.ts';
import { findBehaviour } from '#simulator/transfers/behaviours.ts';
import { type Connection, jsonOfRows } from './database.ts';
import { planNotifications, resourceUpdate } from './notifications.ts';
import { remember } from './remember.ts';

export const paymentStore = (database: Connection) => ({
  // Consumes the consent, books the payment and claims the key, or does nothing.
  submitPayment: async (payment: Payment, consent: Consent, claim: KeyClaim): Promise<boolean> => {
    const values = [
      ...[payment.bankId, payment.consentId, payment.id, new Date(payment.acceptedAt)],
      ...[JSON.stringify(payment.schedule), claim.clientId, claim.key, claim.bodyHash],
      ...[new Date(claim.at), jsonOfRows(entriesOf(payment, consent))],
      changesOf(payment, consent),
    ];
    try {
      const done = await database.row<{ paid: boolean }>(submitPayment, ...values);
      return done?.paid === true;
    } catch (error) {
      // The key was claimed at the same moment for another consent: nothing was written.
      if ((error as { code?: string }).code === uniqueViolation) return false;
      throw error;
    }
  },
  // It never changes: its status follows from its schedule.
  findPayment: remember((bankId, id) => database.row<Payment>(selectPayment, bankId, id)).find,
  holderOfKey: ({ bankId, clientId, operation, key }: KeyClaim) =>
    database.row<{ readonly bodyHash: string; readonly resourceId: string }>(
      ...[selectKey, bankId, clientId, operation, key],
    ),
});

// When its status changes after it was accepted, in real time. Orders for a later day send no events.
const changesOf = ({ acceptedAt, schedule }: Payment, consent: Consent): readonly Date[] =>
  kindOfConsent(consent.id).isLater
    ? []
    : schedule
        .slice(1)
        .map(({ afterMs }) => new Date(acceptedAt + afterMs - consent.clockOffsetMs));

const uniqueViolation = '23505';

const entryColumns = `sort_code, account_number, direction, kind, amount_pence, end_to_end_id,
  shows_id, counterparty, reference, consent_id, pending_ms, booked_at, stated_at`;

// One statement: the consent is consumed, the key claimed, the payment and its entries inserted.
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
    insert into simulator.account_entry (${entryColumns})
    select ${entryColumns} from paid, json_populate_recordset(null::simulator.account_entry, $10)
  ), notified as (${planNotifications(
    `select $1 as bank_id, $6 as client_id, $2 as consent_id, $3 as resource_id, planned.at
      from paid, unnest($11::timestamptz[]) as planned (at)`,
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

// Both sides of a payment, on the account of its payer and on that of its payee.
const entriesOf = (payment: Payment, consent: Consent) => {
  const { creditor, amountPence, reference, debtor } = consent;
  const { showsEndToEndId } = findBehaviour({ reference, amountPence });
  const payer = {
    name: debtor?.holderName ?? '',
    sortCode: debtor?.sortCode ?? '',
    accountNumber: debtor?.accountNumber ?? '',
  };
  const rowsOf = (account: Party, counterparty: Party, planned: ReturnType<typeof payerEntries>) =>
    planned.map(({ direction, kind, afterMs, pendingMs }) => ({
      ...{ direction, kind, counterparty, reference, amountPence, pendingMs },
      sortCode: account.sortCode,
      accountNumber: account.accountNumber,
      endToEndId: consent.endToEndIdentification,
      showsId: showsEndToEndId,
      consentId: consent.id,
      bookedAt: new Date(payment.acceptedAt - consent.clockOffsetMs + afterMs),
      statedAt: new Date(payment.acceptedAt + afterMs),
    }));
  return [
    ...rowsOf(payer, creditor, payerEntries(payment.schedule)),
    ...rowsOf(creditor, payer, payeeEntries(payment.schedule)),
  ];
};
