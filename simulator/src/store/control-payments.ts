import { currentStep, nextStep, type Schedule } from '#simulator/bank/payments/schedule.ts';
import { hurryNotifications } from './notification-store.ts';
import type { Pool } from './open-pool.ts';

// The banks' payments, for tests and for people.
type PaymentLine = {
  readonly bankId: string;
  readonly consentId: string;
  readonly paymentId: string;
  readonly endToEndIdentification: string;
  readonly reference: string;
  readonly amountPence: number;
  readonly status: string;
  readonly login: string | null;
  readonly acceptedAt: string;
  readonly debtor: Party;
  readonly creditor: Party;
  readonly debited: boolean;
  readonly returned: boolean;
};

type Party = {
  readonly name: string;
  readonly sortCode: string;
  readonly accountNumber: string;
};

type PaymentQuery = {
  readonly consentIds: readonly string[] | undefined;
  readonly page: number;
  readonly pageSize: number;
  readonly now: number;
};

export const listPayments = async (pool: Pool, query: PaymentQuery): Promise<PaymentLine[]> => {
  const values = [
    ...[query.consentIds ?? null, new Date(query.now)],
    ...[query.pageSize, query.page * query.pageSize],
  ];
  const { rows } = await pool.query<LineRow>(selectLines, values);
  return rows.map((row) => lineOf(row, query.now));
};

export const advanceClocks = async (
  pool: Pool,
  consentIds: readonly string[],
  milliseconds: number,
): Promise<number> => {
  const { rowCount } = await pool.query(advance, [consentIds, milliseconds]);
  return rowCount ?? 0;
};

const advance = `
  with entries as (
    update simulator.account_entry set booked_at = booked_at - $2 * interval '1 millisecond'
    where consent_id = any($1::text[])
  ), notifications as (${hurryNotifications})
  update simulator.consent set clock_offset_ms = clock_offset_ms + $2 where id = any($1::text[])`;

const selectLines = `
  select payment.bank_id, payment.id, payment.consent_id, payment.accepted_at, payment.schedule,
    consent.end_to_end_identification, consent.reference, consent.amount_pence, consent.login,
    consent.creditor, consent.clock_offset_ms,
    json_build_object('name', account.holder_name, 'sortCode', account.sort_code,
      'accountNumber', account.account_number) as debtor,
    array(
      select entry.kind from simulator.ledger_entry as entry
      where entry.bank_id = payment.bank_id and entry.payment_id = payment.id
        and payment.accepted_at + entry.effective_after_ms * interval '1 millisecond'
          <= $2::timestamptz + consent.clock_offset_ms * interval '1 millisecond'
    ) as booked
  from simulator.payment
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  join simulator.account
    on account.bank_id = consent.bank_id and account.id = consent.debtor_account_id
  where $1::text[] is null or payment.consent_id = any($1::text[])
  order by payment.accepted_at, payment.id
  limit $3 offset $4`;

type LineRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly consent_id: string;
  readonly accepted_at: Date;
  readonly schedule: Schedule;
  readonly end_to_end_identification: string;
  readonly reference: string;
  readonly amount_pence: bigint;
  readonly login: string | null;
  readonly creditor: Party;
  readonly clock_offset_ms: bigint;
  readonly debtor: Party;
  readonly booked: readonly string[];
};

const lineOf = (row: LineRow, realNow: number): PaymentLine => {
  const now = realNow + Number(row.clock_offset_ms);
  const acceptedAt = row.accepted_at.getTime();
  return {
    bankId: row.bank_id,
    consentId: row.consent_id,
    paymentId: row.id,
    endToEndIdentification: row.end_to_end_identification,
    reference: row.reference,
    amountPence: Number(row.amount_pence),
    status: currentStep(row.schedule, { acceptedAt, now }).status,
    login: row.login,
    acceptedAt: row.accepted_at.toISOString(),
    debtor: row.debtor,
    creditor: row.creditor,
    debited: row.booked.includes('debit'),
    returned: row.booked.includes('return'),
  };
};

// The status of a payment now, and the time until it changes: null if never.
export type PaymentForecast = {
  readonly consentId: string;
  readonly status: string;
  readonly changesInMs: number | null;
};

export const paymentForecast = async (
  pool: Pool,
  consentIds: readonly string[],
  realNow: number,
): Promise<PaymentForecast[]> => {
  const { rows } = await pool.query<ForecastRow>(selectSchedules, [consentIds]);
  return rows.map(({ consent_id, accepted_at, schedule, clock_offset_ms }) => {
    const timing = {
      acceptedAt: accepted_at.getTime(),
      now: realNow + Number(clock_offset_ms),
    };
    const next = nextStep(schedule, timing);
    return {
      consentId: consent_id,
      status: currentStep(schedule, timing).status,
      changesInMs: next ? next.at - timing.now : null,
    };
  });
};

type ForecastRow = {
  readonly consent_id: string;
  readonly accepted_at: Date;
  readonly schedule: Schedule;
  readonly clock_offset_ms: bigint;
};

const selectSchedules = `
  select payment.consent_id, payment.accepted_at, payment.schedule, consent.clock_offset_ms
  from simulator.payment
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  where payment.consent_id = any($1::text[])`;
