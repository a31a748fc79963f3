import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** What the simulator says of one payment (GET /control/payments). */
export type BankLine = {
  readonly consentId: string;
  readonly endToEndIdentification: string;
  readonly amountPence: number;
  readonly status: string;
  readonly debited: boolean;
  readonly returned: boolean;
  readonly creditor: { readonly sortCode: string; readonly accountNumber: string };
};

/** What the simulated processor says of one payment (GET /control/cards/payments). */
export type CardLine = {
  readonly paymentIntentId: string;
  readonly status: string;
  readonly amount: number;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly metadata: Readonly<Record<string, string>>;
};

export type Outside = {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  /** Where the simulator keeps its keys and `registration.json`. */
  readonly trustFolder: string;
};

/** The control calls of a simulator. */
export const controlOf = async ({ simulatorUrl, trustFolder }: Omit<Outside, 'databaseUrl'>) => {
  const file = join(trustFolder, 'registration.json');
  const { controlToken } = JSON.parse(await readFile(file, 'utf8')) as { controlToken: string };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`${simulatorUrl}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const bankLines = async (): Promise<readonly BankLine[]> => {
    const lines: BankLine[] = [];
    for (let page = 0; lines.length === page * pageSize; page += 1)
      lines.push(
        ...((await call('GET', `/payments?page=${page}&pageSize=${pageSize}`)) as BankLine[]),
      );
    return lines;
  };
  const cardLines = async (): Promise<readonly CardLine[]> => {
    const lines: CardLine[] = [];
    for (;;) {
      const last = lines.at(-1)?.paymentIntentId;
      const after = last === undefined ? '' : `&after=${last}`;
      const page = await call('GET', `/cards/payments?pageSize=${pageSize}${after}`);
      lines.push(...(page as CardLine[]));
      if ((page as CardLine[]).length < pageSize) return lines;
    }
  };
  return {
    payments: bankLines,
    cardPayments: cardLines,
    advance: (consentIds: readonly string[], milliseconds: number) =>
      call('POST', '/clock/advance', { consentIds, milliseconds }),
    advanceCards: (paymentIntentIds: readonly string[], milliseconds: number) =>
      call('POST', '/clock/advance', { paymentIntentIds, milliseconds }),
    cardFault: (operation: string, kind: string, more: object = {}) =>
      call('POST', '/faults', { operation: `cards:${operation}`, kind, ...more }),
    noFaults: () => call('DELETE', '/faults'),
    fault: (operation: string, kind: string, more: object = {}) =>
      call('POST', '/faults', { bankId: 'mock-sandbox-v1', operation, kind, ...more }),
  };
};

const pageSize = 500;

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
 * Where the books of the banks and ours tell different stories, one sentence each. They may for the
 * moment between a bank's change and our next question, so a test waits until this is empty.
 */
export const booksDiffer = async (outside: Outside): Promise<readonly string[]> => {
  const control = await controlOf(outside);
  const [lines, rows] = await Promise.all([control.payments(), readAttempts(outside.databaseUrl)]);
  const byId = new Map(rows.map((row) => [row.payment_idempotency_id, row]));
  const found = lines.flatMap((line) => {
    const row = byId.get(line.endToEndIdentification);
    const meant = meantBy(line);
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
    ...takenTwice(lines, byId),
    ...invented.map((row) => `no bank has ${JSON.stringify(row)}`),
  ];
};

const meantBy = ({ status, debited, returned }: BankLine): string => {
  if (['RJCT', 'BLCK'].includes(status)) return 'FAILED';
  return debited && !returned ? 'COMPLETED' : 'PENDING';
};

/** Of all payments that the banks hold for one request, or share of it, one may have kept the money. */
const takenTwice = (
  lines: readonly BankLine[],
  byId: ReadonlyMap<string, AttemptRow>,
): readonly string[] => {
  const kept = lines
    .filter(({ debited, returned, status }) => debited && !returned && status !== 'BLCK')
    .map(({ endToEndIdentification }) => byId.get(endToEndIdentification))
    .map((row) => `${row?.payment_request_id} ${row?.share_id}`);
  return kept.filter((id, index) => kept.indexOf(id) !== index).map((id) => `${id} is paid twice`);
};

const readAttempts = async (databaseUrl: string): Promise<readonly AttemptRow[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set search_path = florin');
    return (await client.query<AttemptRow>(attempts)).rows;
  } finally {
    await client.end();
  }
};
