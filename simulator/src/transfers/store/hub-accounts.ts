import type { Pool, PoolClient } from 'pg';
import type { Account, NamedAccount } from '../model.ts';

type Connection = Pool | PoolClient;

// Opens the account on first use and locks it until the transaction ends, so that messages for one
// account are created one after another.
export const holdAccount = async (
  client: PoolClient,
  account: Account & { readonly name?: string },
): Promise<void> => {
  const { sortCode, accountNumber, name = '' } = account;
  await client.query(openRow, [sortCode, accountNumber, name]);
};

const openRow = `
  insert into simulator.hub_account (sort_code, account_number, name) values ($1, $2, $3)
  on conflict (sort_code, account_number)
  do update set name = coalesce(nullif(excluded.name, ''), hub_account.name)`;

// The balance of a report: the one before it and its entries.
export const moveReportedBalance = async (
  client: PoolClient,
  { sortCode, accountNumber }: Account,
  addedPence: bigint,
): Promise<bigint> => {
  const { rows } = await client.query<{ pence: bigint }>(moveReported, [
    ...[sortCode, accountNumber],
    addedPence.toString(),
  ]);
  return rows[0]?.pence ?? addedPence;
};

const moveReported = `
  update simulator.hub_account set reported_pence = reported_pence + $3
  where sort_code = $1 and account_number = $2
  returning reported_pence + opening_pence as pence`;

type AccountTerms = NamedAccount & {
  readonly openingPence: bigint;
  readonly mayOverdraw: boolean;
};

export const setAccountTerms = async (
  connection: Connection,
  { sortCode, accountNumber, name, openingPence, mayOverdraw }: AccountTerms,
): Promise<void> => {
  const values = [sortCode, accountNumber, name, openingPence.toString(), mayOverdraw];
  await connection.query(upsertTerms, values);
};

const upsertTerms = `
  insert into simulator.hub_account
    (sort_code, account_number, name, opening_pence, may_overdraw)
  values ($1, $2, $3, $4, $5)
  on conflict (sort_code, account_number)
  do update set opening_pence = excluded.opening_pence, may_overdraw = excluded.may_overdraw`;
