import type { Connection } from './database.ts';

export type Fault = {
  // What is done to the caller.
  readonly kind: string;
  readonly milliseconds?: number | undefined;
  readonly status?: number | undefined;
};

export type Faults = ReturnType<typeof faultStore>;

// Only this process queues faults, so it knows when none is waiting and need not look.
export const faultStore = (database: Connection) => {
  let mayWait = true;
  let queued = 0;
  return {
    // For the next calls of an operation of a bank, of the card processor or of the transfer hub.
    queue: async (holder: string, operation: string, fault: Fault, times: number) => {
      const { kind, milliseconds, status } = fault;
      await database.change(insert, holder, operation, kind, times, milliseconds, status);
      queued += 1;
      mayWait = true;
    },
    // The oldest fault waiting for this call; each call uses one up.
    take: async (holder: string, operation: string): Promise<Fault | undefined> => {
      if (!mayWait) return undefined;
      const before = queued;
      const row = await database.row<Taken>(take, holder, operation);
      if (before === queued) mayWait = row?.anyWaited ?? false;
      return row?.kind === undefined ? undefined : { ...row, kind: row.kind };
    },
    // How many calls will still meet one.
    count: async (): Promise<number> =>
      (await database.row<{ remaining: number }>(count))?.remaining ?? 0,
    clear: () => database.change('delete from simulator.fault where remaining > 0'),
  };
};

type Taken = Partial<Fault> & { readonly anyWaited: boolean };

const insert = `
  insert into simulator.fault (bank_id, operation, kind, remaining, milliseconds, status)
  values ($1, $2, $3, $4, $5, $6)`;

const take = `
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
    exists (select from simulator.fault where remaining > 0) as any_waited
  from (select 1) as always left join taken on true`;

const count = 'select coalesce(sum(remaining), 0)::int as remaining from simulator.fault';
