import { lookInto } from './look-into.ts';
import { type BankLine, type Outside, openSimulatorControl } from './open-simulator-control.ts';

type AttemptRow = {
  readonly payment_idempotency_id: string;
  readonly payment_request_id: string;
  readonly share_id: string;
  readonly status: string;
  readonly iso_status_code: string | null;
  readonly total_pence: string;
  readonly booked_pence: string;
  readonly sort_code: string;
  readonly account_number: string;
};

const attempts = `select a.payment_idempotency_id, a.payment_request_id, a.share_id, a.status,
    a.iso_status_code,
    (a.amount_pence + a.tip_pence)::text as total_pence,
    a.creditor->>'sortCode' as sort_code, a.creditor->>'accountNumber' as account_number,
    coalesce((select sum(e.amount_pence) from ledger_entry e where e.attempt_id = a.attempt_id
      and e.account in ('DUE_FROM_BANK', 'STORE_ACCOUNT', 'COLLECTING_ACCOUNT')), 0)::text
      as booked_pence
  from attempt a where a.submitted_at is not null and a.method = 'PAY_BY_BANK'`;

/**
 * Differences between the banks' books and ours, one sentence each. They may differ between a bank's
 * change and our next poll, so a test waits until this is empty.
 */
export const compareBankBooks = async (outside: Outside): Promise<readonly string[]> => {
  const control = await openSimulatorControl(outside);
  const [lines, rows] = await Promise.all([control.payments(), readAttempts(outside.databaseUrl)]);
  const byId = new Map(rows.map((row) => [row.payment_idempotency_id, row]));
  const found = lines.flatMap((line) => {
    const row = byId.get(line.endToEndIdentification);
    const meant = expectedStatus(line);
    if (!row) return [`the bank has ${line.endToEndIdentification}, we never sent it`];
    const isSame =
      row.status === meant &&
      row.iso_status_code === line.status &&
      row.total_pence === String(line.amountPence) &&
      row.booked_pence === (meant === 'COMPLETED' ? row.total_pence : '0') &&
      `${row.sort_code}${row.account_number}` ===
        `${line.creditor.sortCode}${line.creditor.accountNumber}`;
    return isSame ? [] : [`${JSON.stringify(line)} is to us ${JSON.stringify(row)}`];
  });
  const paid = new Set(lines.map(({ endToEndIdentification }) => endToEndIdentification));
  const invented = rows.filter(
    (row) => row.status === 'COMPLETED' && !paid.has(row.payment_idempotency_id),
  );
  return [
    ...found,
    ...findPaidTwice(lines, byId),
    ...invented.map((row) => `no bank has ${JSON.stringify(row)}`),
  ];
};

const expectedStatus = ({ status, debited, returned }: BankLine): string => {
  if (['RJCT', 'BLCK'].includes(status)) return 'FAILED';
  return debited && !returned ? 'COMPLETED' : 'PENDING';
};

/** Of all bank payments for one request, or one share, at most one may have paid. */
const findPaidTwice = (
  lines: readonly BankLine[],
  byId: ReadonlyMap<string, AttemptRow>,
): readonly string[] => {
  const paidShares = lines
    .filter(({ debited, returned, status }) => debited && !returned && status !== 'BLCK')
    .map(({ endToEndIdentification }) => byId.get(endToEndIdentification))
    .map((row) => `${row?.payment_request_id} ${row?.share_id}`);
  return paidShares
    .filter((id, index) => paidShares.indexOf(id) !== index)
    .map((id) => `${id} is paid twice`);
};

const readAttempts = (databaseUrl: string): Promise<readonly AttemptRow[]> =>
  lookInto(databaseUrl, async (client) => (await client.query<AttemptRow>(attempts)).rows);
