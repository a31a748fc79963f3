import type {
  listBankAccounts as described,
  getBankBalance as describedBalance,
  getBankAccount as describedOne,
  ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { isReadable } from '../authorisations/authorisation.ts';
import { requireAuthorisation } from '../authorisations/get-authorisation.ts';
import { type AccountRow, listLinkedAccounts } from '../authorisations/store/accounts.ts';
import {
  authorisationRequired,
  type ReadTools,
  requireAccountAccess,
  requireFreshAccount,
} from './require-account-access.ts';

/** FEED-2: those that the customer chose at the bank. */
export const listBankAccounts = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof described>> => {
  const authorisation = await requireAuthorisation(tools, tenant, authorisationId);
  if (!isReadable(authorisation)) throw authorisationRequired(authorisation.status);
  const values = { ...tenant, authorisationId };
  const rows = await tools.database.tenant(tenant.merchantId, listLinkedAccounts, values);
  return rows.map(accountView);
};

export const getBankAccount = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  accountId: string,
): Promise<ReplyOf<typeof describedOne>> =>
  accountView(await requireAccountAccess(tools, tenant, accountId));

export const getBankBalance = async (
  tools: ReadTools,
  tenant: Tenant,
  accountId: string,
): Promise<ReplyOf<typeof describedBalance>> => {
  const access = await requireFreshAccount(tools, tenant, accountId);
  return { balance: access.balance, currency: access.balance_currency ?? access.currency };
};

const accountView = (row: AccountRow) => ({
  accountId: row.account_id,
  bankName: row.bank_name,
  accountNumber: row.account_number,
  sortCode: row.sort_code,
});
