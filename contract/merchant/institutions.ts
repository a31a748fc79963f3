import Type from 'typebox';
import { operation } from '../operation.ts';

/** A bank that a payer can choose, as existing client programs read it: every member is always there. */
export const bank = Type.Object({
  id: Type.String(),
  name: Type.String(),
  fullName: Type.String(),
  media: Type.Array(Type.Object({ source: Type.String(), type: Type.Enum(['icon', 'logo']) }), {
    description: 'Pictures drawn by this server, at addresses that do not change.',
  }),
  features: Type.Array(Type.String()),
  orderBy: Type.Integer({ description: 'Place in the list, from 1.' }),
  transactionAmountLimit: Type.Number({ description: 'Pounds that one payment may be at most.' }),
  businessBank: Type.Boolean(),
  popularBank: Type.Boolean(),
  enabled: Type.Boolean({ description: 'False: down for maintenance, not to be offered.' }),
  bankType: Type.Enum(['PERSONAL', 'BUSINESS', 'BOTH']),
  bankCode: Type.String(),
});

const searchBanks = Type.Optional(
  Type.String({ maxLength: 100, description: 'Part of a name; small typing errors are forgiven.' }),
);

const sendDisabledBanks = Type.Optional(
  Type.Boolean({ default: false, description: 'Also banks that are down for maintenance.' }),
);

/** The banks of the secret's own environment, including those that are down. */
export const listInstitutions = operation({
  id: 'listInstitutions',
  route: 'GET /api/institutions',
  access: 'secret',
  summary: 'List the banks that payers can pay from.',
  rules: ['STATUS-7'],
  query: Type.Object({ search: searchBanks }),
  reply: Type.Array(bank),
  failsWith: ['railNotConfigured'],
});

const customerQuery = Type.Object({
  env: Type.Optional(
    Type.String({
      pattern: '^([Ss][Aa][Nn][Dd][Bb][Oo][Xx]|[Pp][Rr][Oo][Dd][Uu][Cc][Tt][Ii][Oo][Nn])$',
      description: 'Default production.',
    }),
  ),
  search: searchBanks,
  sendDisabledBanks,
});

/** For a payer's app: popular banks first. */
export const listCustomerInstitutions = operation({
  id: 'listCustomerInstitutions',
  route: 'GET /api/institutions/customer',
  access: 'open',
  summary: 'List the banks of an environment for a payer.',
  rules: ['STATUS-7', 'WIRE-14'],
  query: customerQuery,
  reply: Type.Array(bank),
  failsWith: ['railNotConfigured'],
});

/** The same for a merchant's web page, across origins that a secret lists. */
export const listSdkInstitutions = operation({
  id: 'listSdkInstitutions',
  route: 'GET /api/sdk-payment/institutions/customer',
  access: 'open',
  summary: 'List the banks of an environment for a payer on a web page of a merchant.',
  rules: ['STATUS-7', 'WIRE-14'],
  query: customerQuery,
  reply: Type.Array(bank),
  failsWith: ['railNotConfigured'],
});
