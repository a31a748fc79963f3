import type { Pool } from 'pg';

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
