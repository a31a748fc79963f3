import type { Connection } from '#simulator/store/database.ts';

const all = '';

export const pauseHub = (database: Connection, debtorIds: readonly string[] = [all]) =>
  database.change(
    'insert into simulator.hub_pause select unnest($1::text[]) on conflict do nothing',
    debtorIds,
  );

// Without ids everything is resumed.
export const resumeHub = (database: Connection, debtorIds?: readonly string[]) =>
  database.change(
    `delete from simulator.hub_pause
     where $1::text[] is null or ultimate_debtor_id = any($1::text[])`,
    debtorIds,
  );

export const isPaused = async (
  database: Connection,
  debtorIds: readonly string[],
): Promise<boolean> => {
  const which = 'select from simulator.hub_pause where ultimate_debtor_id = any($1::text[])';
  return (await database.row(which, [all, ...debtorIds])) !== undefined;
};

export const advanceDebtors = (
  database: Connection,
  debtorIds: readonly string[],
  milliseconds: number,
) =>
  database.change(
    `insert into simulator.hub_clock as clock select unnest($1::text[]), $2
     on conflict (ultimate_debtor_id) do update set offset_ms = clock.offset_ms + $2`,
    ...[debtorIds, milliseconds],
  );

export const readDebtorClocks = async (
  database: Connection,
  debtorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await database.rows<{ ultimateDebtorId: string; offsetMs: number }>(
    'select * from simulator.hub_clock where ultimate_debtor_id = any($1::text[])',
    debtorIds,
  );
  return new Map(rows.map(({ ultimateDebtorId, offsetMs }) => [ultimateDebtorId, offsetMs]));
};

export const orderBehaviour = (database: Connection, endToEndId: string, behaviour: string) =>
  database.change(
    `insert into simulator.hub_behaviour values ($1, $2)
     on conflict (end_to_end_id) do update set behaviour = excluded.behaviour`,
    ...[endToEndId, behaviour],
  );

export const orderedBehaviours = async (
  database: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await database.rows<{ endToEndId: string; behaviour: string }>(
    'select * from simulator.hub_behaviour where end_to_end_id = any($1::text[])',
    ids,
  );
  return new Map(rows.map((row) => [row.endToEndId, row.behaviour]));
};
