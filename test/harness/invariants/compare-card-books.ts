import { lookInto } from './look-into.ts';
import { type CardLine, type Outside, openSimulatorControl } from './open-simulator-control.ts';

type CardRow = {
  readonly attempt_id: string;
  readonly status: string;
  readonly step: string;
  readonly total_pence: string;
  readonly booked_pence: string;
  /** By refunds of ours. */
  readonly refunded_pence: string;
  readonly elsewhere_pence: string;
};

const attempts = `select a.attempt_id, a.status, a.step,
    (a.amount_pence + a.tip_pence)::text as total_pence,
    coalesce((select sum(e.amount_pence) from ledger_entry e where e.attempt_id = a.attempt_id
      and e.account = 'SETTLED_BY_PROCESSOR'
      and e.reason not in ('PAYMENT_DISPUTED', 'DISPUTE_WON')), 0)::text as booked_pence,
    a.refunded_pence::text, refunded_at_processor_pence(a.refunds)::text as elsewhere_pence
  from attempt a where a.method = 'CARD'`;

/**
 * Differences between the card processor's books and ours, one sentence each. They may differ between
 * a change there and our next poll, so a test waits until this is empty.
 */
export const compareCardBooks = async (outside: Outside): Promise<readonly string[]> => {
  const control = await openSimulatorControl(outside);
  const [lines, rows] = await Promise.all([control.cardPayments(), readRows(outside.databaseUrl)]);
  const byId = new Map(rows.map((row) => [row.attempt_id, row]));
  const paidLines = lines.filter(
    (line) => line.held + netOf(line, byId.get(line.metadata.attemptId ?? '')) > 0,
  );
  const paidAttemptIds = paidLines.map(({ metadata }) => metadata.attemptId);
  return [
    ...lines.flatMap((line) => findDifferences(line, byId.get(line.metadata.attemptId ?? ''))),
    ...paidAttemptIds
      .filter((id, index) => paidAttemptIds.indexOf(id) !== index)
      .map((id) => `the processor has attempt ${id} twice`),
    ...rows
      .filter(({ status, attempt_id }) => hasMoney(status) && !paidAttemptIds.includes(attempt_id))
      .map((row) => `the processor holds nothing for ${JSON.stringify(row)}`),
  ];
};

/** Captured money less automatic returns; a merchant's refund still counts. */
const netOf = ({ captured, refunded }: CardLine, row: CardRow | undefined): number =>
  captured - refunded + Number(row?.refunded_pence ?? 0) + Number(row?.elsewhere_pence ?? 0);

const hasMoney = (status: string): boolean => status === 'COMPLETED' || status === 'AUTHORIZED';

const findDifferences = (line: CardLine, row: CardRow | undefined): readonly string[] => {
  if (!row) return [`the processor has ${line.paymentIntentId}, we never sent it`];
  const paid = netOf(line, row);
  const isSame =
    line.held > 0 === (row.status === 'AUTHORIZED') &&
    paid > 0 === (row.status === 'COMPLETED') &&
    row.booked_pence === bookedOf(row, paid) &&
    (paid === 0 || row.total_pence === String(paid));
  return isSame ? [] : [`${JSON.stringify(line)} is to us ${JSON.stringify(row)}`];
};

/** Of refunds those made elsewhere are entries of the attempt. */
const bookedOf = ({ status, elsewhere_pence }: CardRow, paid: number): string =>
  String(status === 'COMPLETED' ? paid - Number(elsewhere_pence) : 0);

const readRows = (databaseUrl: string): Promise<readonly CardRow[]> =>
  lookInto(databaseUrl, async (client) => (await client.query<CardRow>(attempts)).rows);
