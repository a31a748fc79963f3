import * as contract from '@florin/contract';
import * as dashboard from '@florin/contract/dashboard/index.ts';
import { tenantIn } from '#kernel/environment.ts';
import { operatorRoute, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { revokeAuthorisations } from './authorisations/end-authorisations.ts';
import {
  getAuthorisation,
  getLinkRecord,
  listBankLinks,
} from './authorisations/get-authorisation.ts';
import {
  type InitiateTools,
  initiateAuthorisation,
} from './authorisations/initiate-authorisation.ts';
import {
  getBankAccount,
  getBankBalance,
  listBankAccounts,
  listBankTransactions,
} from './reading/list-accounts.ts';
import type { ReadTools } from './reading/require-account-access.ts';

export const memberRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(dashboard.listBankLinks, ({ query }, { tenant }) => listBankLinks(tools, tenant, query)),
];

export const merchantRoutes = (tools: InitiateTools & ReadTools): readonly Route[] => [
  route(contract.initiateBankAuthorisation, (call, caller) =>
    initiateAuthorisation(tools, caller, call),
  ),
  route(contract.revokeBankAuthorisation, ({ body }, { tenant }) =>
    revokeAuthorisations(tools, tenant, body.accountAuthId),
  ),
  route(contract.getBankAuthorisation, ({ params }, { tenant }) =>
    getAuthorisation(tools, tenant, params.accountAuthId),
  ),
  route(contract.listBankAccounts, ({ params }, caller) =>
    listBankAccounts(tools, caller, params.accountAuthId),
  ),
  route(contract.getBankAccount, ({ params }, caller) =>
    getBankAccount(tools, caller, params.accountId),
  ),
  route(contract.listBankTransactions, ({ params, query }, caller) =>
    listBankTransactions(tools, caller, params.accountId, query),
  ),
  // The reply filter leaves out payer and payee.
  route(contract.listBankTransactionsWithoutParties, ({ params, query }, caller) =>
    listBankTransactions(tools, caller, params.accountId, query),
  ),
  route(contract.getBankBalance, ({ params }, { tenant }) =>
    getBankBalance(tools, tenant, params.accountId),
  ),
];

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(contract.getBankLinkRecord, ({ params }) =>
    getLinkRecord(tools, tenantIn(params), params.accountAuthId),
  ),
];
