import * as contract from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import { getAuthorisation } from './authorisations/get-authorisation.ts';
import {
  type InitiateTools,
  initiateAuthorisation,
} from './authorisations/initiate-authorisation.ts';
import { revokeAuthorisations } from './authorisations/revoke-authorisations.ts';
import { getBankAccount, getBankBalance, listBankAccounts } from './reading/list-bank-accounts.ts';
import { listBankTransactions } from './reading/list-bank-transactions.ts';
import type { ReadTools } from './reading/require-account-access.ts';

export const merchantRoutes = (tools: InitiateTools & ReadTools): readonly Route[] => [
  route(contract.initiateBankAuthorisation, ({ body, decideOnce }, caller) =>
    initiateAuthorisation(tools, caller, body, decideOnce),
  ),
  route(contract.revokeBankAuthorisation, ({ body }, { tenant }) =>
    revokeAuthorisations(tools, tenant, body.accountAuthId),
  ),
  route(contract.getBankAuthorisation, ({ params }, { tenant }) =>
    getAuthorisation(tools, tenant, params.accountAuthId),
  ),
  route(contract.listBankAccounts, ({ params }, { tenant }) =>
    listBankAccounts(tools, tenant, params.accountAuthId),
  ),
  route(contract.getBankAccount, ({ params }, { tenant }) =>
    getBankAccount(tools, tenant, params.accountId),
  ),
  route(contract.listBankTransactions, ({ params, query }, { tenant }) =>
    listBankTransactions(tools, tenant, params.accountId, query),
  ),
  // The reply filter leaves out payer and payee.
  route(contract.listBankTransactionsWithoutParties, ({ params, query }, { tenant }) =>
    listBankTransactions(tools, tenant, params.accountId, query),
  ),
  route(contract.getBankBalance, ({ params }, { tenant }) =>
    getBankBalance(tools, tenant, params.accountId),
  ),
];
