import { lookInto } from './look-into.ts';
import { type HubEntry, type Outside, openSimulatorControl } from './open-simulator-control.ts';

const collectingAccount = `select sort_code || account_number as account from collecting_account
  where environment = 'SANDBOX'`;

const ours = `select
    (select coalesce(sum(amount_pence), 0)::text from ledger_entry
      where environment = 'SANDBOX' and account = 'COLLECTING_ACCOUNT') as booked_pence,
    (select coalesce(sum(amount_pence), 0) from account_credit
      where environment = 'SANDBOX' and status in ('OPEN', 'UNMATCHED')
        and not coalesce(end_to_end_id, '') = any ($1::text[]))
    - (select coalesce(sum(amount_pence), 0) from account_debit
      where environment = 'SANDBOX' and credit_id is null) as unexplained_pence`;

type Ours = {
  readonly booked_pence: string;
  readonly unexplained_pence: string;
};

/**
 * The whole balance of the collecting account: the hub's own books against our ledger and the credits
 * and debits that nothing explains. They may differ between a change there and our next reading, so a test
 * waits until this is empty.
 */
export const compareCollectingAccount = async (outside: Outside): Promise<readonly string[]> => {
  const control = await openSimulatorControl(outside);
  const [{ account } = { account: '' }] = await read<{ account: string }>(
    outside,
    collectingAccount,
  );
  const shown = await control.hubEntries(account);
  const entries = shown.filter(isOfDebtor);
  const ofCreditor = shown.filter((entry) => !isOfDebtor(entry)).map((entry) => entry.endToEndId);
  const [books] = await read<Ours>(outside, ours, [ofCreditor]);
  const { booked_pence = '0', unexplained_pence = '0' } = books ?? {};
  const atHub = entries.reduce(
    (sum, { direction, amountPence }) =>
      direction === 'CRDT' ? sum + amountPence : sum - amountPence,
    0,
  );
  const here = Number(booked_pence) + Number(unexplained_pence);
  if (atHub === here) return [];
  return [
    `the hub holds ${atHub}, our books say ${booked_pence} and ${unexplained_pence} unmatched`,
  ];
};

/** A store may have the collecting account as its own: the creditor's side of our transfers is not ours. */
const isOfDebtor = ({ direction, kind, endToEndId }: HubEntry): boolean =>
  !endToEndId?.startsWith('FLT') || (kind === 'transfer') === (direction === 'DBIT');

const read = async <Row extends object>(
  { databaseUrl }: Outside,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> =>
  lookInto(databaseUrl, async (client) => (await client.query<Row>(text, [...values])).rows);
