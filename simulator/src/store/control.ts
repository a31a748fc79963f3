import type { AccountConsent, Party } from '#simulator/bank/model.ts';
import { currentStep, nextStep, type Schedule } from '#simulator/bank/payments/schedule.ts';
import type { Connection } from './database.ts';
import { hurryNotifications, revoking } from './notifications.ts';

type LineRow = {
  readonly bankId: string;
  readonly consentId: string;
  readonly paymentId: string;
  readonly endToEndIdentification: string;
  readonly reference: string;
  readonly amountPence: bigint;
  readonly login?: string;
  readonly acceptedAt: number;
  readonly schedule: Schedule;
  readonly clockOffsetMs: number;
  readonly debtor: Party;
  readonly creditor: Party;
  readonly debited: boolean;
  readonly returned: boolean;
};

type PaymentQuery = {
  readonly consentIds: readonly string[] | undefined;
  readonly page: number;
  readonly pageSize: number;
  readonly now: number;
};

// The banks' payments, for tests and for people.
export const listPayments = async (
  database: Connection,
  { consentIds, page, pageSize, now }: PaymentQuery,
) => {
  const which = consentIds && 'where payment.consent_id = any($4::text[])';
  const values = [new Date(now), pageSize, page * pageSize, ...(consentIds ? [consentIds] : [])];
  const rows = await database.rows<LineRow>(selectLines(which), ...values);
  return rows.map(({ schedule, clockOffsetMs, acceptedAt, ...row }) => ({
    ...row,
    amountPence: Number(row.amountPence),
    status: currentStep(schedule, { acceptedAt, now: now + clockOffsetMs }).status,
    login: row.login ?? null,
    acceptedAt: new Date(acceptedAt).toISOString(),
  }));
};

const hasEntry = (entry: string): string => `exists (
    select from simulator.account_entry where consent_id = consent.id and booked_at <= $1
      and ${entry})`;

const selectLines = (which = ''): string => `
  select payment.bank_id, payment.id as payment_id, payment.consent_id, payment.accepted_at,
    payment.schedule, consent.end_to_end_identification, consent.reference, consent.amount_pence,
    consent.login, consent.creditor, consent.clock_offset_ms,
    json_build_object('name', account.holder_name, 'sortCode', account.sort_code,
      'accountNumber', account.account_number) as debtor,
    ${hasEntry(`direction = 'DBIT' and kind = 'payment'`)} as debited,
    ${hasEntry(`direction = 'CRDT' and kind = 'return'`)} as returned
  from simulator.payment
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  join simulator.account
    on account.bank_id = consent.bank_id and account.id = consent.debtor_account_id
  ${which} order by payment.accepted_at, payment.id limit $2 offset $3`;

// The status of payments now, and the time until it changes: null if never.
export const paymentForecast = async (
  database: Connection,
  consentIds: readonly string[],
  realNow: number,
) => {
  const rows = await database.rows<LineRow>(selectSchedules, consentIds);
  return rows.map(({ consentId, acceptedAt, schedule, clockOffsetMs }) => {
    const timing = { acceptedAt, now: realNow + clockOffsetMs };
    const next = nextStep(schedule, timing);
    return {
      consentId,
      status: currentStep(schedule, timing).status,
      changesInMs: next ? next.at - timing.now : null,
    };
  });
};

const selectSchedules = `
  select payment.consent_id, payment.accepted_at, payment.schedule, consent.clock_offset_ms
  from simulator.payment
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  where payment.consent_id = any($1::text[])`;

// Of payments and of account information.
export const advanceConsents = async (
  database: Connection,
  consentIds: readonly string[],
  milliseconds: number,
): Promise<number> =>
  (await database.change(advancePayments, consentIds, milliseconds)) +
  (await database.change(advanceAccounts, consentIds, milliseconds));

const advancePayments = `
  with entries as (
    update simulator.account_entry set booked_at = booked_at - $2 * interval '1 millisecond'
    where consent_id = any($1::text[])
  ), notifications as (${hurryNotifications})
  update simulator.consent set clock_offset_ms = clock_offset_ms + $2 where id = any($1::text[])`;

const advanceAccounts = `
  update simulator.account_consent
  set clock_offset_ms = clock_offset_ms + $2 where id = any($1::text[])`;

export const revokeConsents = (database: Connection, ids: readonly string[], now: number) =>
  database.change(revoke, ids, new Date(now));

const revoke = revoking(
  `update simulator.account_consent set status = 'CANC', status_updated_at = $2
    where id = any($1::text[]) and status = 'AUTH'`,
);

export const demandLogin = (database: Connection, ids: readonly string[]) =>
  database.change(
    'update simulator.account_consent set demands_login = true where id = any($1::text[])',
    ids,
  );

export const listAccountConsents = async (database: Connection, ids: readonly string[]) => {
  const rows = await database.rows<ListedConsent>(selectConsents, ids);
  return rows.map((row) => ({ ...row, login: row.login ?? null }));
};

type ListedConsent = Pick<
  AccountConsent,
  'bankId' | 'version' | 'status' | 'login' | 'accountIds'
> & { readonly consentId: string; readonly isDeleted: boolean };

const selectConsents = `
  select bank_id, id as consent_id, version, status, login, account_ids, is_deleted
  from simulator.account_consent where id = any($1::text[]) order by created_at`;
