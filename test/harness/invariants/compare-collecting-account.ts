import pg from 'pg';
import { type HubEntry, type Outside, openSimulatorControl } from './open-simulator-control.ts';

const ours = `select
    (select sort_code || account_number from collecting_account
      where environment = 'SANDBOX') as account,
    (select coalesce(sum(amount_pence), 0)::text from ledger_entry
      where environment = 'SANDBOX' and account = 'COLLECTING_ACCOUNT') as booked_pence,
    (select coalesce(sum(amount_pence), 0)::text from account_credit
      where environment = 'SANDBOX' and status in ('OPEN', 'UNMATCHED')) as unexplained_pence`;

type Ours = {
  readonly account: string;
  readonly booked_pence: string;
  readonly unexplained_pence: string;
};

/**
 * The whole balance of the collecting account: the hub's own books against our ledger and the credits
 * that no payment explains. They may differ between a change there and our next reading, so a test
 * waits until this is empty.
 */
export const compareCollectingAccount = async (outside: Outside): Promise<readonly string[]> => {
  const { account, booked_pence, unexplained_pence } = await readOurs(outside.databaseUrl);
  const control = await openSimulatorControl(outside);
  const entries = (await control.hubEntries(account)).filter(isOfDebtor);
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

const readOurs = async (databaseUrl: string): Promise<Ours> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set search_path = florin');
    const [row] = (await client.query<Ours>(ours)).rows;
    return row ?? { account: '', booked_pence: '0', unexplained_pence: '0' };
  } finally {
    await client.end();
  }
};
