import { searchBanks } from '@florin/checkout';
import {
  securePaymentAuth as describedAuth,
  getPaymentDetails as describedDetails,
  listCustomerInstitutions,
  listInstitutions,
  listSdkInstitutions,
  type ReplyOf,
} from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { poundsNumber } from '#kernel/pence.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { openRoute, type Route, route } from '#platform/http/route.ts';
import type { Institution } from '#rails/bank-rail.ts';
import { getPaymentDetails } from './get-payment-details.ts';
import { type SecureAuthTools, securePaymentAuth } from './secure-payment-auth.ts';

type Bank = ReplyOf<typeof listInstitutions>[number];
type BankTools = { readonly bankRails: BankRails; readonly publicUrl: string };

const features = ['CREATE_DOMESTIC_SINGLE_PAYMENT'];

/** Popular banks first; a bank that is down only on request. */
const listBanks = (
  { bankRails, publicUrl }: BankTools,
  environment: Environment,
  requested: { readonly search?: string | undefined; readonly withDisabled: boolean },
): readonly Bank[] => {
  const known = bankRails.need(environment).institutions();
  const ordered = [...known].sort((one, other) => Number(other.isPopular) - Number(one.isPopular));
  const positions = new Map(ordered.map(({ id }, at) => [id, at + 1]));
  return searchBanks(ordered, requested.search ?? '')
    .filter(({ isEnabled }) => isEnabled || requested.withDisabled)
    .map((bank) => bankView(bank, publicUrl, positions.get(bank.id) ?? 0));
};

const bankView = (bank: Institution, publicUrl: string, orderBy: number): Bank => {
  const source = `${publicUrl}/bank-icons/${bank.id}.svg`;
  return {
    id: bank.id,
    name: bank.name,
    fullName: bank.fullName,
    media: [
      { source, type: 'icon' },
      { source, type: 'logo' },
    ],
    features,
    orderBy,
    transactionAmountLimit: poundsNumber(bank.limitPence),
    businessBank: bank.kind !== 'personal',
    popularBank: bank.isPopular,
    enabled: bank.isEnabled,
    bankType: bankTypes[bank.kind],
    bankCode: bank.id,
  };
};

const bankTypes = { personal: 'PERSONAL', business: 'BUSINESS', both: 'BOTH' } as const;

const environmentNamed = (env: string | undefined): Environment =>
  env?.toLowerCase() === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';

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
