import type { Pool } from 'pg';
import type { Account } from '../model.ts';

// One read, so that a client which asks every second costs next to nothing while nothing happens.
export const isReportDue = async (
  pool: Pool,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<boolean> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const { rows } = await pool.query<{ is_due: boolean }>(
    { name: 'hub-report-due', text: selectDue },
    values,
  );
  return rows[0]?.is_due ?? false;
};

const selectDue = `
  select exists (select from simulator.hub_transfer
      where sort_code = $1 and account_number = $2 and due_at <= $3)
    or exists (select from simulator.account_entry
      where sort_code = $1 and account_number = $2 and not is_reported and booked_at <= $3)
    or exists (select from simulator.hub_delivery
      where sort_code = $1 and account_number = $2 and acknowledged_at is null
        and available_at <= $3) as is_due`;
