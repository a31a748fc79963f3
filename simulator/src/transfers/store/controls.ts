import type { Pool } from 'pg';

const all = '';

export const pauseHub = async (pool: Pool, debtorIds: readonly string[] | undefined) => {
  await pool.query(
    `insert into simulator.hub_pause select unnest($1::text[]) on conflict do nothing`,
    [debtorIds ?? [all]],
  );
};

// Without ids everything is resumed.
export const resumeHub = async (pool: Pool, debtorIds: readonly string[] | undefined) => {
  await pool.query(
    `delete from simulator.hub_pause
     where $1::text[] is null or ultimate_debtor_id = any($1::text[])`,
    [debtorIds ?? null],
  );
};

export const isPaused = async (pool: Pool, debtorIds: readonly string[]): Promise<boolean> => {
  const { rows } = await pool.query<{ paused: boolean }>(
    `select exists (select from simulator.hub_pause
     where ultimate_debtor_id = any($1::text[])) as paused`,
    [[all, ...debtorIds]],
  );
  return rows[0]?.paused === true;
};

export const orderBehaviour = async (pool: Pool, endToEndId: string, behaviour: string) => {
  await pool.query(
    `insert into simulator.hub_behaviour values ($1, $2)
     on conflict (end_to_end_id) do update set behaviour = excluded.behaviour`,
    [endToEndId, behaviour],
  );
};

export const orderedBehaviours = async (
  pool: Pool,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await pool.query<{ end_to_end_id: string; behaviour: string }>(
    'select * from simulator.hub_behaviour where end_to_end_id = any($1::text[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.end_to_end_id, row.behaviour]));
};

export const transferFaultOperations = ['submit', 'find', 'list', 'acknowledge'] as const;
export const transferFaultKinds = ['down', 'cut-before', 'cut-after'] as const;

export type TransferFaultOperation = (typeof transferFaultOperations)[number];
export type TransferFaultKind = (typeof transferFaultKinds)[number];

const holder = 'transfers';

export const queueTransferFault = async (
  pool: Pool,
  operation: TransferFaultOperation,
  kind: TransferFaultKind,
  times: number,
): Promise<void> => {
  await pool.query(
    `insert into simulator.fault (bank_id, operation, kind, remaining) values ($1, $2, $3, $4)`,
    [holder, operation, kind, times],
  );
};

export const takeTransferFault = async (
  pool: Pool,
  operation: TransferFaultOperation,
): Promise<TransferFaultKind | undefined> => {
  const { rows } = await pool.query<{ kind: TransferFaultKind }>(takeFault, [holder, operation]);
  return rows[0]?.kind;
};

const takeFault = `
  update simulator.fault set remaining = remaining - 1
  where id = (
    select id from simulator.fault
    where bank_id = $1 and operation = $2 and remaining > 0
    order by id limit 1 for update skip locked
  )
  returning kind`;
