import type { Pool } from './open-pool.ts';

export const faultOperations = ['consent', 'token', 'payment', 'read', 'authorize'] as const;
export const faultKinds = ['down', 'slow', 'cut-before', 'cut-after', 'status'] as const;

export type FaultStore = {
  queue(fault: Fault): Promise<void>;
  // The oldest fault waiting for this call; each call uses one up.
  take(bankId: string, operation: FaultOperation): Promise<InjectedFault | undefined>;
  // How many calls will still meet one.
  count(): Promise<number>;
  clear(): Promise<number>;
};

export type FaultOperation = (typeof faultOperations)[number];
type FaultKind = (typeof faultKinds)[number];

export type Fault = {
  readonly bankId: string;
  readonly operation: FaultOperation;
  readonly kind: FaultKind;
  readonly times: number;
  readonly milliseconds: number | undefined;
  readonly status: number | undefined;
};

export type InjectedFault = Pick<Fault, 'kind' | 'milliseconds' | 'status'>;

export const faultStore = (pool: Pool): FaultStore => ({
  queue: async ({ bankId, operation, kind, times, milliseconds, status }) => {
    const values = [bankId, operation, kind, times, milliseconds ?? null, status ?? null];
    await pool.query(insertFault, values);
  },
  take: async (bankId, operation) => {
    const { rows } = await pool.query<FaultRow>(takeFault, [bankId, operation]);
    const [row] = rows;
    if (!row) return undefined;
    const { kind, milliseconds, status } = row;
    return { kind, milliseconds: milliseconds ?? undefined, status: status ?? undefined };
  },
  count: async () => {
    const { rows } = await pool.query<{ remaining: number }>(
      'select coalesce(sum(remaining), 0)::int as remaining from simulator.fault',
    );
    return rows[0]?.remaining ?? 0;
  },
  clear: async () => {
    const { rowCount } = await pool.query('delete from simulator.fault where remaining > 0');
    return rowCount ?? 0;
  },
});

type FaultRow = {
  readonly kind: FaultKind;
  readonly milliseconds: number | null;
  readonly status: number | null;
};

const insertFault = `
  insert into simulator.fault (bank_id, operation, kind, remaining, milliseconds, status)
  values ($1, $2, $3, $4, $5, $6)`;

const takeFault = `
  update simulator.fault set remaining = remaining - 1
  where id = (
    select id from simulator.fault
    where bank_id = $1 and operation = $2 and remaining > 0
    order by id limit 1 for update
  )
  returning kind, milliseconds, status`;
