import type { Pool } from '#simulator/store/open-pool.ts';

export const cardFaultOperations = [
  'cards:intent',
  'cards:capture',
  'cards:cancel',
  'cards:session',
  'cards:refund',
  'cards:read',
] as const;
// status-after does the work and then answers the status, as a failing reply path would.
export const cardFaultKinds = [
  'down',
  'slow',
  'cut-before',
  'cut-after',
  'status',
  'status-after',
] as const;

export type CardFaultOperation = (typeof cardFaultOperations)[number];

export type CardFault = {
  readonly kind: (typeof cardFaultKinds)[number];
  readonly milliseconds: number | undefined;
  readonly status: number | undefined;
};

export type CardFaults = {
  queue(operation: CardFaultOperation, fault: CardFault, times: number): Promise<void>;
  take(operation: CardFaultOperation): Promise<CardFault | undefined>;
};

const holder = 'cards';

// Only this process queues faults, so it knows when none is waiting and need not query.
export const cardFaults = (pool: Pool): CardFaults => {
  let mayWait = true;
  let queued = 0;
  return {
    queue: async (operation, fault, times) => {
      const { kind, milliseconds, status } = fault;
      await pool.query(insertFault, [holder, operation, kind, times, milliseconds, status]);
      queued += 1;
      mayWait = true;
    },
    take: async (operation) => {
      if (!mayWait) return undefined;
      const queuedBefore = queued;
      const { rows } = await pool.query<Row>(takeFault, [holder, operation]);
      const [row] = rows;
      if (queuedBefore === queued) mayWait = row?.any_waited ?? false;
      if (!row?.kind) return undefined;
      const { kind, milliseconds, status } = row;
      return { kind, milliseconds: milliseconds ?? undefined, status: status ?? undefined };
    },
  };
};

type Row = {
  readonly kind: CardFault['kind'] | null;
  readonly milliseconds: number | null;
  readonly status: number | null;
  readonly any_waited: boolean;
};

const insertFault = `
  insert into simulator.fault (bank_id, operation, kind, remaining, milliseconds, status)
  values ($1, $2, $3, $4, $5, $6)`;

const takeFault = `
  with taken as (
    update simulator.fault set remaining = remaining - 1
    where id = (
      select id from simulator.fault
      where bank_id = $1 and operation = $2 and remaining > 0
      order by id limit 1 for update
    )
    returning kind, milliseconds, status
  )
  select kind, milliseconds, status,
    exists (select from simulator.fault where bank_id = $1 and remaining > 0) as any_waited
  from (select 1) as always left join taken on true`;
