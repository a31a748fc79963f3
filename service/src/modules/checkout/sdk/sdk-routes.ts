import {
  securePaymentAuth as describedAuth,
  getPaymentDetails as describedDetails,
  listCustomerInstitutions,
  listInstitutions,
  listSdkInstitutions,
} from '@florin/contract';
import { openRoute, type Route, route } from '#platform/http/route.ts';
import { getPaymentDetails } from './get-payment-details.ts';
import { type BankTools, environmentNamed, listBanks } from './list-banks.ts';
import { type SecureAuthTools, securePaymentAuth } from './secure-payment-auth.ts';

export type SdkTools = SecureAuthTools & BankTools;

/** What existing pages, apps and shops of merchants call. */
export const sdkRoutes = (tools: SdkTools): readonly Route[] => {
  const banksOf = (query: { env?: string; search?: string; sendDisabledBanks?: boolean }) => [
    ...listBanks(tools, environmentNamed(query.env), {
      search: query.search,
      withDisabled: query.sendDisabledBanks ?? false,
    }),
  ];
  return [
    route(listInstitutions, async ({ query }, { tenant }) => [
      ...listBanks(tools, tenant.environment, { search: query.search, withDisabled: true }),
    ]),
    openRoute(listCustomerInstitutions, async ({ query }) => banksOf(query)),
    openRoute(listSdkInstitutions, async ({ query }) => banksOf(query)),
    openRoute(describedDetails, ({ body, origin }) => getPaymentDetails(tools, body, origin)),
    openRoute(describedAuth, ({ body, address, userAgent }) =>
      securePaymentAuth(tools, body, { address, userAgent }),
    ),
  ];
};
