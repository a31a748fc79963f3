import { type Connection, jsonOfRows } from '#simulator/store/database.ts';
import type { Account, DueTransfer, Order, Transfer } from '../model.ts';

// False when a message with this id exists: nothing is written then.
export const insertMessage = async (
  connection: Connection,
  { messageId, debtor, contentHash, text }: Order,
  now: number,
): Promise<boolean> => {
  const account = [debtor.sortCode, debtor.accountNumber];
  const values = [messageId, ...account, contentHash, new Date(now), text];
  return (await connection.change(insertMessageRow, ...values)) === 1;
};

const insertMessageRow = `
  insert into simulator.hub_message
    (message_id, sort_code, account_number, content_hash, received_at, text)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

export const findMessageHash = async (
  connection: Connection,
  messageId: string,
): Promise<string | undefined> => {
  const which = 'select content_hash from simulator.hub_message where message_id = $1';
  return (await connection.row<{ contentHash: string }>(which, messageId))?.contentHash;
};

export const findUsedIds = async (
  connection: Connection,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const rows = await connection.rows<{ endToEndId: string }>(
    'select end_to_end_id from simulator.hub_transfer where end_to_end_id = any($1::text[])',
    ids,
  );
  return rows.map(({ endToEndId }) => endToEndId);
};

export const insertTransfers = (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  transfers: readonly Transfer[],
  now: number,
) => {
  const at = new Date(now);
  const rows = transfers.map((transfer) => ({
    ...transfer,
    ...{ sortCode, accountNumber, acceptedAt: at, dueAt: at },
    clockOffsetMs: 0,
    reportedSteps: 0,
  }));
  return connection.change(insertTransferRows, jsonOfRows(rows));
};

const insertTransferRows = `
  insert into simulator.hub_transfer
  select * from json_populate_recordset(null::simulator.hub_transfer, $1)`;

type TransferRow = Omit<DueTransfer, 'reachedSteps'> & {
  readonly acceptedAt: number;
  readonly clockOffsetMs: number;
};

// Transfers with steps that were reached and not reported.
export const listDueTransfers = async (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<readonly DueTransfer[]> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const rows = await connection.rows<TransferRow>(selectDue, ...values);
  return rows.map((row) => {
    const ageMs = now - row.acceptedAt + row.clockOffsetMs;
    const reachedSteps = row.schedule.filter(({ afterMs }) => afterMs <= ageMs).length;
    return { ...row, reachedSteps };
  });
};

const selectDue = `
  select * from simulator.hub_transfer
  where sort_code = $1 and account_number = $2 and due_at <= $3
  order by accepted_at, message_id, position limit 1000`;

export const markReported = (connection: Connection, transfers: readonly DueTransfer[]) => {
  const rows = transfers.map(({ messageId, position, schedule, reachedSteps }) => ({
    ...{ messageId, position, reportedSteps: reachedSteps },
    // When the step after those reached is due, from the moment of acceptance; null: never.
    nextMs: schedule[reachedSteps]?.afterMs ?? null,
  }));
  return connection.change(updateReported, jsonOfRows(rows));
};

const updateReported = `
  update simulator.hub_transfer as transfer
  set reported_steps = done.reported_steps,
    due_at = transfer.accepted_at
      + (done.next_ms - transfer.clock_offset_ms) * interval '1 millisecond'
  from json_to_recordset($1)
    as done (message_id text, position int, reported_steps int, next_ms bigint)
  where transfer.message_id = done.message_id and transfer.position = done.position`;

// Moves the clocks of these transfers: their remaining steps, entries and reports fall due sooner.
export const advanceTransfers = (
  database: Connection,
  endToEndIds: readonly string[],
  milliseconds: number,
) => database.change(advance, endToEndIds, milliseconds);

const advance = `
  with entries as (
    update simulator.account_entry set booked_at = booked_at - $2 * interval '1 millisecond'
    where end_to_end_id = any($1::text[]) and consent_id is null
  ), deliveries as (
    update simulator.hub_delivery set available_at = available_at - $2 * interval '1 millisecond'
    where end_to_end_ids && $1::text[] and acknowledged_at is null
  )
  update simulator.hub_transfer
  set clock_offset_ms = clock_offset_ms + $2, due_at = due_at - $2 * interval '1 millisecond'
  where end_to_end_id = any($1::text[])`;

export const isMessageKnown = async (database: Connection, messageId: string): Promise<boolean> =>
  (await findMessageHash(database, messageId)) !== undefined;
