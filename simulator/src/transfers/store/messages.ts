import type { Connection } from '#simulator/store/database.ts';
import type { Account } from '../model.ts';

export type NewDelivery = {
  readonly reference: string;
  readonly endToEndIds: readonly string[];
  readonly text: string;
  readonly availableAt: number;
};

export const insertDelivery = (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  { reference, endToEndIds, text, availableAt }: NewDelivery,
) =>
  connection.change(
    insertRow,
    ...[reference, sortCode, accountNumber, endToEndIds, text, new Date(availableAt)],
  );

const insertRow = `
  insert into simulator.hub_delivery
    (reference, sort_code, account_number, end_to_end_ids, text, available_at)
  values ($1, $2, $3, $4, $5, $6)`;

export const listWaiting = (
  database: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
  limit: number,
) =>
  database.rows<{ readonly reference: string; readonly text: string }>(
    selectWaiting,
    ...[sortCode, accountNumber, new Date(now), limit],
  );

const selectWaiting = `
  select reference, text from simulator.hub_delivery
  where sort_code = $1 and account_number = $2 and acknowledged_at is null and available_at <= $3
  order by available_at, seq limit $4`;

export const acknowledgeDelivery = (
  database: Connection,
  reference: string,
  quarantineReason: string | null,
  now: number,
) => database.change(updateAcknowledged, reference, quarantineReason, new Date(now));

const updateAcknowledged = `
  update simulator.hub_delivery set acknowledged_at = $3, quarantine_reason = $2
  where reference = $1 and acknowledged_at is null`;

// As a bank that is asked for its reports of some days once more.
export const reopenDeliveries = (
  database: Connection,
  { sortCode, accountNumber }: Account,
  since: Date,
): Promise<number> => database.change(updateReopened, sortCode, accountNumber, since);

const updateReopened = `
  update simulator.hub_delivery set acknowledged_at = null, quarantine_reason = null
  where sort_code = $1 and account_number = $2 and acknowledged_at >= $3`;

// One read, so that a client which asks every second costs next to nothing while nothing happens.
export const isReportDue = async (
  database: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<boolean> => {
  const values = [sortCode, accountNumber, new Date(now)];
  return (await database.row<{ isDue: boolean }>(selectReportDue, ...values))?.isDue ?? false;
};

const selectReportDue = `
  select exists (select from simulator.hub_transfer
      where sort_code = $1 and account_number = $2 and due_at <= $3)
    or exists (select from simulator.account_entry
      where sort_code = $1 and account_number = $2 and not is_reported and booked_at <= $3)
    or exists (select from simulator.hub_delivery
      where sort_code = $1 and account_number = $2 and acknowledged_at is null
        and available_at <= $3) as is_due`;

type PassedMessage = {
  readonly key: string;
  readonly text: string;
  readonly quarantineReason?: string;
};

const maxListed = 500;

// Every message that passed between the hub and its clients, as it was, after the one with this key.
export const listMessages = async (database: Connection, after: string) => {
  const rows = await database.rows<PassedMessage>(selectMessages, after, maxListed);
  return rows.map((row) => ({ ...row, quarantineReason: row.quarantineReason ?? null }));
};

const selectMessages = `
  select key, text, quarantine_reason from (
    select 'from client ' || message_id as key, text, null as quarantine_reason
    from simulator.hub_message
    union all
    select 'from hub ' || reference, text, quarantine_reason from simulator.hub_delivery
  ) as message
  where key collate "C" > $1 order by key collate "C" limit $2`;

// When the next message without a notice is there; Infinity: none is planned.
export const nextNoticeAt = async (
  database: Connection,
  { sortCode, accountNumber }: Account,
): Promise<number> =>
  (await database.row<{ nextAt?: number }>(selectNext, sortCode, accountNumber))?.nextAt ??
  Number.POSITIVE_INFINITY;

const selectNext = `
  select least(
    (select min(due_at) from simulator.hub_transfer
      where sort_code = $1 and account_number = $2 and due_at is not null),
    (select min(booked_at) from simulator.account_entry
      where sort_code = $1 and account_number = $2 and not is_reported),
    (select min(available_at) from simulator.hub_delivery
      where sort_code = $1 and account_number = $2 and acknowledged_at is null
        and noticed_at is null)) as next_at`;

export const listUnnoticed = async (
  database: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<readonly string[]> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const rows = await database.rows<{ reference: string }>(selectUnnoticed, ...values);
  return rows.map(({ reference }) => reference);
};

const selectUnnoticed = `
  select reference from simulator.hub_delivery
  where sort_code = $1 and account_number = $2 and acknowledged_at is null
    and noticed_at is null and available_at <= $3
  order by available_at limit 1000`;

export const markNoticed = (database: Connection, references: readonly string[], now: number) =>
  database.change(
    'update simulator.hub_delivery set noticed_at = $2 where reference = any($1::text[])',
    ...[references, new Date(now)],
  );
