import { accountStatement, standingOf } from '../accounts/account-statement.ts';
import { countUnattendedCall } from '../accounts/count-unattended-call.ts';
import { listLines } from '../accounts/list-lines.ts';
import type { AccountConsent } from '../accounts/model.ts';
import {
  openSharedAccount,
  openSharedAccounts,
  type SharedQuery,
} from '../accounts/open-shared-accounts.ts';
import type { JsonObject } from '../ports.ts';
import { checkAccess } from '../wire/check-access.ts';
import { checkHeaders } from '../wire/check-headers.ts';
import type { AccountCall, AccountReply, Operation } from './account-call.ts';
import { accountOnWire, balancesOnWire, lineOnWire } from './account-on-wire.ts';
import { pageOf } from './page-of.ts';
import { readLineQuery } from './read-line-query.ts';

const accountPermissions = ['ReadAccountsBasic', 'ReadAccountsDetail'];
const linePermissions = ['ReadTransactionsBasic', 'ReadTransactionsDetail'];

export const getAccounts: Operation = async (call) => {
  const query = await queryOf(call, accountPermissions);
  const { consent, accounts } = await openSharedAccounts(call.bank.tools, query);
  await countCall(call, consent, 'accounts');
  const shown = accounts.map((account) => accountOnWire(call, consent, account));
  return answer(call, { Account: shown }, '/accounts');
};

export const getAccount: Operation = async (call) => {
  const query = await queryOf(call, accountPermissions);
  const { consent, account } = await openSharedAccount(call.bank.tools, query, call.id);
  await countCall(call, consent, `account ${account.id}`);
  const shown = accountOnWire(call, consent, account);
  return answer(call, { Account: [shown] }, `/accounts/${account.id}`);
};

export const getBalances: Operation = async (call) => {
  const { bank } = call;
  const query = await queryOf(call, ['ReadBalances']);
  const { consent, account } = await openSharedAccount(bank.tools, query, call.id);
  await countCall(call, consent, `balances ${account.id}`);
  const now = bank.tools.clock.now() + consent.clockOffsetMs;
  const movements = await bank.tools.store.movementsOf(account, now);
  const lines = accountStatement(bank.profile, account, movements, now);
  const shown = balancesOnWire(call, account, standingOf(account, lines), now);
  return answer(call, { Balance: shown }, `/accounts/${account.id}/balances`);
};

export const getTransactions: Operation = async (call) => {
  const { bank } = call;
  const query = await queryOf(call, linePermissions);
  const { consent, account } = await openSharedAccount(bank.tools, query, call.id);
  const { page, ...range } = readLineQuery(call.query);
  // The pages of one list count as one call.
  if (page === 1) await countCall(call, consent, `transactions ${account.id}`);
  const lines = await listLines(bank, consent, account, range);
  const path = `/accounts/${account.id}/transactions`;
  const shown = pageOf(bank.profile.statement, lines, page, {
    address: `${call.accountsUrl}${path}`,
    query: call.query,
  });
  const Transaction = shown.lines.map((line) => lineOnWire(call, consent, account, line));
  return { status: 200, body: { Data: { Transaction }, Links: shown.links, Meta: shown.meta } };
};

const queryOf = async (call: AccountCall, permissions: readonly string[]): Promise<SharedQuery> => {
  const { bank, request, version } = call;
  const access = await checkAccess(bank, request, 'customer', 'accounts');
  checkHeaders(bank.profile, request.headers, false);
  const consentId = access.consentId ?? '';
  return { bankId: bank.profile.id, consentId, version, permissions };
};

const countCall = async (
  { bank, request }: AccountCall,
  consent: AccountConsent,
  subject: string,
): Promise<void> => {
  if (request.headers['x-fapi-customer-ip-address'] !== undefined) return;
  await countUnattendedCall(bank.tools, bank.profile, consent, subject);
};

const answer = ({ accountsUrl }: AccountCall, data: JsonObject, path: string): AccountReply => ({
  status: 200,
  body: { Data: data, Links: { Self: `${accountsUrl}${path}` }, Meta: { TotalPages: 1 } },
});
