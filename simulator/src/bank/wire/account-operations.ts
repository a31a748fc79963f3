import {
  countUnattendedCall,
  openSharedAccounts,
  type SharedQuery,
} from '../accounts/account-consents.ts';
import {
  accountStatement,
  type LineQuery,
  listLines,
  standingOf,
} from '../accounts/account-statement.ts';
import type { AccountConsent, JsonObject } from '../model.ts';
import { badRequest } from '../refusal.ts';
import { accountOnWire, balancesOnWire, lineOnWire, pageOf } from './account-on-wire.ts';
import type { Call, Operation, Reply } from './call.ts';
import { admit } from './check-request.ts';

const accountPermissions = ['ReadAccountsBasic', 'ReadAccountsDetail'];
const linePermissions = ['ReadTransactionsBasic', 'ReadTransactionsDetail'];

export const getAccounts: Operation = async (call) => {
  const { consent, accounts } = await openAccounts(call, accountPermissions);
  await countCall(call, consent, 'accounts');
  const shown = accounts.map((account) => accountOnWire(call, consent, account));
  return answer(call, { Account: shown }, '/accounts');
};

export const getAccount: Operation = async (call) => {
  const { consent, account } = await openAccount(call, accountPermissions);
  await countCall(call, consent, `account ${account.id}`);
  const shown = accountOnWire(call, consent, account);
  return answer(call, { Account: [shown] }, `/accounts/${account.id}`);
};

export const getBalances: Operation = async (call) => {
  const { bank } = call;
  const { consent, account } = await openAccount(call, ['ReadBalances']);
  await countCall(call, consent, `balances ${account.id}`);
  const now = bank.tools.clock.now() + consent.clockOffsetMs;
  const movements = await bank.tools.store.movementsOf(account, now);
  const lines = accountStatement(bank.profile, account, movements, now);
  const shown = balancesOnWire(call, account, standingOf(account, lines), now);
  return answer(call, { Balance: shown }, `/accounts/${account.id}/balances`);
};

export const getAllBalances: Operation = async (call) => {
  const { bank } = call;
  const { consent, accounts } = await openAccounts(call, ['ReadBalances']);
  await countCall(call, consent, 'balances');
  const now = bank.tools.clock.now() + consent.clockOffsetMs;
  const shown: JsonObject[] = [];
  for (const account of accounts) {
    const movements = await bank.tools.store.movementsOf(account, now);
    const lines = accountStatement(bank.profile, account, movements, now);
    shown.push(...balancesOnWire(call, account, standingOf(account, lines), now));
  }
  return answer(call, { Balance: shown }, '/balances');
};

export const getTransactions: Operation = async (call) => {
  const { bank } = call;
  const { consent, account } = await openAccount(call, linePermissions);
  const { page, ...range } = readLineQuery(call.query);
  // The pages of one list count as one call.
  if (page === 1) await countCall(call, consent, `transactions ${account.id}`);
  const lines = await listLines(bank, consent, account, range);
  const shown = pageOf(bank.profile.statement, lines, page, {
    address: `${call.baseUrl}/accounts/${account.id}/transactions`,
    query: call.query,
  });
  const Transaction = shown.lines.map((line) => lineOnWire(call, consent, account, line));
  return { status: 200, body: { Data: { Transaction }, Links: shown.links, Meta: shown.meta } };
};

export const openAccounts = async (call: Call, permissions: SharedQuery['permissions']) => {
  const { bank, version } = call;
  const { consentId } = await admit(call, 'customer', 'accounts');
  const query = { bankId: bank.profile.id, consentId, version, permissions };
  return openSharedAccounts(bank.tools, query);
};

export const openAccount = async (call: Call, permissions: SharedQuery['permissions']) => {
  const { consent, accounts } = await openAccounts(call, permissions);
  const account = accounts.find(({ id }) => id === call.id);
  if (!account) throw badRequest('U011', 'There is no such account.', 'AccountId');
  return { consent, account };
};

const countCall = async (
  { bank, request }: Call,
  consent: AccountConsent,
  subject: string,
): Promise<void> => {
  if (request.headers['x-fapi-customer-ip-address'] !== undefined) return;
  await countUnattendedCall(bank, consent, subject);
};

export const answer = ({ baseUrl }: Call, data: JsonObject, path: string): Reply => ({
  status: 200,
  body: { Data: data, Links: { Self: `${baseUrl}${path}` }, Meta: { TotalPages: 1 } },
});

const dateOrTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;
const maxPage = 100_000;

const readLineQuery = (query: URLSearchParams): LineQuery & { readonly page: number } => {
  const page = Number(query.get('page') ?? '1');
  if (!Number.isInteger(page) || page < 1 || page > maxPage) {
    throw badRequest('U002', 'There is no such page.', 'page');
  }
  return {
    from: timeOf(query, 'fromBookingDateTime', '00:00:00'),
    to: timeOf(query, 'toBookingDateTime', '23:59:59.999'),
    page,
  };
};

// The standard has the bank ignore a time zone; a date alone means the whole day.
const timeOf = (query: URLSearchParams, name: string, timeOfDay: string): number | undefined => {
  const text = query.get(name);
  if (text === null) return undefined;
  const local = text.replace(/(Z|[+-]\d{2}:?\d{2})$/, '');
  const at = Date.parse(`${local.includes('T') ? local : `${local}T${timeOfDay}`}Z`);
  if (!dateOrTime.test(local) || Number.isNaN(at)) {
    throw badRequest('U003', 'This is no date and time.', name);
  }
  return at;
};
