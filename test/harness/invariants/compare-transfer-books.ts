import { lookInto } from './look-into.ts';
import { type HubEntry, type Outside, openSimulatorControl } from './open-simulator-control.ts';

type TransferRow = {
  readonly end_to_end_id: string;
  readonly subject_id: string;
  readonly status: string;
  readonly amount_pence: string;
  /** What is booked of it as the bank's difference. */
  readonly difference_pence: string;
};

/** Of a payout in parts, each is compared by itself. */
const transfers = `select t.end_to_end_id, t.amount_pence::text, t.difference_pence::text,
    case when n.parts > 1 then t.end_to_end_id else t.subject_id::text end as subject_id,
    coalesce(r.status, case when n.parts = 1 or t.outcome is null then p.status
      when t.outcome = 'SETTLED' then 'SETTLED' else 'FAILED' end) as status
  from transfer t left join refund r on r.refund_id = t.subject_id
  left join payout p on p.payout_id = t.subject_id
  cross join lateral (select count(*) as parts from transfer o where o.subject_id = p.payout_id) n
  where t.environment = 'SANDBOX'`;

/** What went out of the collecting account and did not come back, as our ledger has it. */
const booked = `select coalesce(-sum(amount_pence), 0)::text as pence from ledger_entry
  where environment = 'SANDBOX' and account = 'COLLECTING_ACCOUNT'
    and reason in ('REFUND_COMPLETED', 'REFUND_RETURNED', 'PAYOUT_SETTLED', 'PAYOUT_RETURNED',
      'TRANSFER_SETTLED', 'TRANSFER_RETURNED', 'TRANSFER_DIFFERENCE')`;

const collecting = `select sort_code || account_number as account from collecting_account
  where environment = 'SANDBOX'`;

/**
 * Differences between the transfer hub's books of the collecting account and ours, one sentence each.
 * They may differ between a change there and our next reading, so a test waits until this is empty.
 */
export const compareTransferBooks = async (outside: Outside): Promise<readonly string[]> => {
  const control = await openSimulatorControl(outside);
  const { account, rows, bookedPence } = await readOurs(outside.databaseUrl);
  const entries = (await control.hubEntries(account)).filter(isOfTransfer);
  const byId = new Map(rows.map((row) => [row.end_to_end_id, row]));
  const unknown = entries.filter(({ endToEndId }) => !byId.has(endToEndId ?? ''));
  const goneOf = (ids: readonly string[]): number =>
    sum(entries.filter(({ endToEndId }) => ids.includes(endToEndId ?? '')));
  const subjects = [...new Set(rows.map((row) => row.subject_id))];
  const differences = subjects.flatMap((subjectId) => {
    const own = rows.filter((row) => row.subject_id === subjectId);
    const different = own.reduce((all, row) => all + Number(row.difference_pence), 0);
    const gone = goneOf(own.map((row) => row.end_to_end_id)) - different;
    return isRight(own, gone) ? [] : [`the hub moved ${gone} for ${JSON.stringify(own)}`];
  });
  const total = sum(entries);
  return [
    ...unknown.map((entry) => `the hub has ${JSON.stringify(entry)}, we never ordered it`),
    ...differences,
    ...(differences.length === 0 && String(total) !== bookedPence && areDone(rows)
      ? [`the hub moved ${total} in all, our ledger says ${bookedPence}`]
      : []),
  ];
};

const isOfTransfer = ({ kind, direction }: HubEntry): boolean =>
  (kind === 'transfer' && direction === 'DBIT') ||
  // A bank payment that is reversed is a debit of this kind.
  ((kind === 'return' || kind === 'reversal') && direction === 'CRDT');

const sum = (entries: readonly HubEntry[]): number =>
  entries.reduce(
    (pence, { direction, amountPence }) =>
      direction === 'DBIT' ? pence + amountPence : pence - amountPence,
    0,
  );

const isRight = (own: readonly TransferRow[], gone: number): boolean => {
  const amount = Number(own[0]?.amount_pence);
  const status = own[0]?.status ?? '';
  if (['COMPLETED', 'SETTLED'].includes(status)) return gone === amount;
  if (['FAILED', 'CANCELLED'].includes(status)) return gone === 0;
  return gone === 0 || gone === amount;
};

const areDone = (rows: readonly TransferRow[]): boolean =>
  rows.every(({ status }) => status !== 'PENDING' && status !== 'PROCESSING');

const readOurs = (databaseUrl: string) =>
  lookInto(databaseUrl, async (client) => {
    const account = await client.query<{ account: string }>(collecting);
    const rows = await client.query<TransferRow>(transfers);
    const sums = await client.query<{ pence: string }>(booked);
    return {
      account: account.rows[0]?.account ?? '',
      rows: rows.rows,
      bookedPence: sums.rows[0]?.pence ?? '0',
    };
  });
