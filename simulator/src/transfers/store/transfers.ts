import type { Pool, PoolClient } from 'pg';
import type { Account, DueTransfer, NamedAccount, Order, Transfer } from '../model.ts';
import { nextStepAfterMs } from '../plan-entries.ts';

// False when a message with this id exists: nothing is written then.
export const insertMessage = async (
  client: PoolClient,
  { messageId, debtor, contentHash, text }: Order,
  now: number,
): Promise<boolean> => {
  const account = [debtor.sortCode, debtor.accountNumber];
  const values = [messageId, ...account, contentHash, new Date(now), text];
  const { rowCount } = await client.query(insertMessageRow, values);
  return rowCount === 1;
};

const insertMessageRow = `
  insert into simulator.hub_message
    (message_id, sort_code, account_number, content_hash, received_at, text)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

export const findMessageHash = async (
  client: PoolClient,
  messageId: string,
): Promise<string | undefined> => {
  const { rows } = await client.query<{ content_hash: string }>(
    'select content_hash from simulator.hub_message where message_id = $1',
    [messageId],
  );
  return rows[0]?.content_hash;
};

export const findUsedIds = async (
  client: PoolClient,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ end_to_end_id: string }>(
    'select end_to_end_id from simulator.hub_transfer where end_to_end_id = any($1::text[])',
    [ids],
  );
  return new Set(rows.map((row) => row.end_to_end_id));
};

export const insertTransfers = async (
  client: PoolClient,
  debtor: Account,
  transfers: readonly Transfer[],
  now: number,
): Promise<void> => {
  const rows = transfers.map((transfer) => ({
    message_id: transfer.messageId,
    position: transfer.position,
    end_to_end_id: transfer.endToEndId,
    sort_code: debtor.sortCode,
    account_number: debtor.accountNumber,
    creditor: transfer.creditor,
    ultimate_debtor_id: transfer.ultimateDebtorId,
    reference: transfer.reference,
    amount_pence: transfer.amountPence.toString(),
    bank_reference: transfer.bankReference,
    behaviour: transfer.behaviour,
    schedule: transfer.schedule,
    accepted_at: new Date(now),
    clock_offset_ms: 0,
    reported_steps: 0,
    due_at: new Date(now),
  }));
  await client.query(insertTransferRows, [JSON.stringify(rows)]);
};

const insertTransferRows = `
  insert into simulator.hub_transfer
  select * from json_populate_recordset(null::simulator.hub_transfer, $1)`;

// Transfers with steps that were reached and not reported.
export const listDueTransfers = async (
  client: PoolClient,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<readonly DueTransfer[]> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const { rows } = await client.query<TransferRow>(selectDue, values);
  return rows.map((row) => dueOf(row, now));
};

const selectDue = `
  select * from simulator.hub_transfer
  where sort_code = $1 and account_number = $2 and due_at <= $3
  order by accepted_at, message_id, position limit 1000`;

export const markReported = async (
  client: PoolClient,
  transfers: readonly DueTransfer[],
): Promise<void> => {
  const rows = transfers.map(({ messageId, position, schedule, reachedSteps }) => ({
    message_id: messageId,
    position,
    reported_steps: reachedSteps,
    next_ms: nextStepAfterMs(schedule, reachedSteps) ?? null,
  }));
  await client.query(updateReported, [JSON.stringify(rows)]);
};

const updateReported = `
  update simulator.hub_transfer as transfer
  set reported_steps = done.reported_steps,
    due_at = transfer.accepted_at
      + (done.next_ms - transfer.clock_offset_ms) * interval '1 millisecond'
  from json_to_recordset($1)
    as done (message_id text, position int, reported_steps int, next_ms bigint)
  where transfer.message_id = done.message_id and transfer.position = done.position`;

type TransferRow = {
  readonly message_id: string;
  readonly position: number;
  readonly end_to_end_id: string;
  readonly creditor: NamedAccount;
  readonly ultimate_debtor_id: string | null;
  readonly reference: string;
  readonly amount_pence: bigint;
  readonly bank_reference: string;
  readonly behaviour: string;
  readonly schedule: Transfer['schedule'];
  readonly accepted_at: Date;
  readonly clock_offset_ms: bigint;
  readonly reported_steps: number;
};

const dueOf = (row: TransferRow, now: number): DueTransfer => {
  const ageMs = now - row.accepted_at.getTime() + Number(row.clock_offset_ms);
  return {
    messageId: row.message_id,
    position: row.position,
    endToEndId: row.end_to_end_id,
    creditor: row.creditor,
    ultimateDebtorId: row.ultimate_debtor_id ?? undefined,
    reference: row.reference,
    amountPence: row.amount_pence,
    bankReference: row.bank_reference,
    behaviour: row.behaviour,
    schedule: row.schedule,
    reportedSteps: row.reported_steps,
    reachedSteps: row.schedule.filter(({ afterMs }) => afterMs <= ageMs).length,
  };
};

// Moves the clocks of these transfers: their remaining steps, entries and reports fall due sooner.
export const advanceTransfers = async (
  pool: Pool,
  endToEndIds: readonly string[],
  milliseconds: number,
): Promise<number> => {
  const { rows } = await pool.query<{ moved: bigint }>(advance, [endToEndIds, milliseconds]);
  return Number(rows[0]?.moved ?? 0);
};

const advance = `
  with moved as (
    update simulator.hub_transfer
    set clock_offset_ms = clock_offset_ms + $2, due_at = due_at - $2 * interval '1 millisecond'
    where end_to_end_id = any($1::text[])
    returning 1
  ), entries as (
    update simulator.account_entry set booked_at = booked_at - $2 * interval '1 millisecond'
    where end_to_end_id = any($1::text[]) and consent_id is null
  ), deliveries as (
    update simulator.hub_delivery set available_at = available_at - $2 * interval '1 millisecond'
    where end_to_end_ids && $1::text[] and acknowledged_at is null
  )
  select count(*) as moved from moved`;

export const isMessageKnown = async (pool: Pool, messageId: string): Promise<boolean> => {
  const { rowCount } = await pool.query('select from simulator.hub_message where message_id = $1', [
    messageId,
  ]);
  return rowCount === 1;
};
