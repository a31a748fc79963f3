import Type from 'typebox';
import { instant, nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const statuses = [
  ...['OPEN', 'AT_BANK', 'EXCHANGING', 'LINKED', 'RECONFIRMATION_MISSED', 'LOGIN_NEEDED'],
  ...['FAILED', 'CANCELLED', 'EXPIRED', 'REVOKED'],
] as const;

const authorisationParams = Type.Object({
  accountAuthId: uuid('Answered by initiate, and appended to redirectUrl.'),
});

const accountParams = Type.Object({
  accountId: uuid('From the accounts of an authorisation, or bankAccountIds of the way back.'),
});

/**
 * Open `url` in the browser of the customer, who chooses a bank, agrees to what is shared and logs in there.
 * The way back carries `status` (SUCCESS, FAILED, CANCELLED or EXPIRED), `accountAuthId`,
 * `bankAccountIds` and the callback parameters.
 */
export const initiateBankAuthorisation = operation({
  id: 'initiateBankAuthorisation',
  route: 'POST /api/bank/auth/initiate',
  access: 'secret',
  summary: 'Start the authorisation of a customer’s bank accounts.',
  rules: ['FEED-1'],
  idempotent: true,
  body: Type.Object({
    redirectUrl: Type.String({
      minLength: 1,
      maxLength: limits.urlLength,
      description:
        'Where the customer returns: https, http in the sandbox, or an app scheme in reverse-domain form.',
    }),
    callbackParams: Type.Optional(
      Type.Union(
        [
          Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
            maxProperties: limits.callbackParams,
          }),
          Type.String({ maxLength: limits.urlLength }),
        ],
        {
          description:
            'Appended to redirectUrl as query parameters: an object, its JSON as text, or a query ' +
            'such as user=7&from=app.',
        },
      ),
    ),
  }),
  reply: Type.Object({
    url: Type.String({ description: 'The page on which the customer links accounts.' }),
    accountAuthId: uuid(),
    expiresAt: timestamp('Until then the link can be used.'),
  }),
  failsWith: ['merchantSuspended', 'railNotConfigured'],
});

/** Without a body every authorisation of the merchant ends. A repeat answers the same. */
export const revokeBankAuthorisation = operation({
  id: 'revokeBankAuthorisation',
  route: 'POST /api/bank/auth/revoke',
  access: 'secret',
  summary:
    'End one authorisation, or all: their accounts are no longer read, their data is deleted.',
  rules: ['FEED-6'],
  idempotent: true,
  body: Type.Object({
    accountAuthId: Type.Optional(uuid('Left out: every authorisation of the merchant.')),
  }),
  bodyOptional: true,
  reply: Type.Object({
    revokedCount: Type.Integer({ description: 'Authorisations that this call ended.' }),
  }),
  failsWith: ['environmentMismatch', 'notFound'],
});

/** The customer opens `url` to renew the agreement, or to end it. */
export const getBankAuthorisation = operation({
  id: 'getBankAuthorisation',
  route: 'GET /api/bank/auth/:accountAuthId',
  access: 'secret',
  summary: 'Read the state of an authorisation.',
  rules: ['FEED-3'],
  params: authorisationParams,
  reply: Type.Object({
    accountAuthId: uuid(),
    status: Type.Enum(statuses, { description: 'LINKED: accounts can be read.' }),
    bankName: nullable(Type.String()),
    url: Type.String({ description: 'The page of the customer for this authorisation.' }),
    expiresAt: timestamp('Until then the link can be used.'),
    linkedAt: nullable(timestamp()),
    reconfirmBy: nullable(timestamp('Reading stops then, unless the customer confirms before.')),
    endedAt: nullable(timestamp()),
  }),
  failsWith: ['environmentMismatch', 'notFound'],
});

const accountReply = Type.Object({
  accountId: uuid('The same whenever the account is linked again.'),
  bankName: Type.String(),
  accountNumber: nullable(Type.String({ description: '8 digits; null for a card account.' })),
  sortCode: nullable(Type.String({ description: '6 digits; null for a card account.' })),
});

export const listBankAccounts = operation({
  id: 'listBankAccounts',
  route: 'GET /api/bank/:accountAuthId/accounts',
  access: 'secret',
  summary: 'The accounts that a customer has authorised.',
  rules: ['FEED-2', 'FEED-3'],
  params: authorisationParams,
  reply: Type.Array(accountReply),
  failsWith: ['environmentMismatch', 'notFound', 'bankAuthorisationRequired'],
});

export const getBankAccount = operation({
  id: 'getBankAccount',
  route: 'GET /api/bank/accounts/:accountId',
  access: 'secret',
  summary: 'Read one account.',
  rules: ['FEED-2', 'FEED-3'],
  params: accountParams,
  reply: accountReply,
  failsWith: ['environmentMismatch', 'notFound', 'bankAuthorisationRequired'],
});

const transactionsQuery = Type.Object({
  from: instant('dated then or later.'),
  before: instant('dated before then.'),
  page: Type.Integer({
    minimum: 0,
    maximum: limits.pageNumberMax,
    description: 'Page, from 0.',
  }),
  itemsPerPage: Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    description: `Rows per page, at most ${limits.pageSizeMax}.`,
  }),
});

const amount = Type.Number({ description: 'Negative: money sent, or an overdrawn account.' });

const transaction = {
  id: Type.String({ description: 'Unique in the account, the same for ever.' }),
  date: timestamp('Booking date of the bank.'),
  type: Type.Enum(['CREDIT', 'DEBIT'], { description: 'CREDIT: money received.' }),
  amount,
  currency: Type.String(),
  description: nullable(Type.String()),
  reference: nullable(Type.String()),
  merchantName: nullable(Type.String()),
  transactionCategory: nullable(Type.String({ description: 'In the words of the bank.' })),
  status: Type.Enum(['BOOKED', 'PENDING'], {
    description: 'PENDING may still change, or leave the list.',
  }),
  balance: nullable(
    Type.Object({ amount, currency: Type.String() }, { description: 'After the transaction.' }),
  ),
};

const party = nullable(
  Type.Object({
    name: nullable(Type.String()),
    accountDetails: Type.Object({
      sortCode: nullable(Type.String()),
      accountNumber: nullable(Type.String()),
    }),
  }),
);

const pageOf = <const Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({
    data: Type.Array(item, { description: 'The newest first.' }),
    totalCount: Type.Integer({ description: 'Transactions on all pages.' }),
    page: Type.Integer(),
    itemsPerPage: Type.Integer(),
  });

/** All four parameters are required. */
export const listBankTransactions = operation({
  id: 'listBankTransactions',
  route: 'GET /api/bank/accounts/:accountId/transactions',
  access: 'secret',
  summary: 'The transactions of an account.',
  rules: ['FEED-2', 'FEED-3', 'FEED-4'],
  params: accountParams,
  query: transactionsQuery,
  reply: pageOf(Type.Object({ ...transaction, payer: party, payee: party })),
  failsWith: ['environmentMismatch', 'notFound', 'bankAuthorisationRequired'],
});

/** The older path with a double slash: the same without payer and payee. */
export const listBankTransactionsWithoutParties = operation({
  id: 'listBankTransactionsWithoutParties',
  route: 'GET /api/bank//accounts/:accountId/transactions',
  access: 'secret',
  summary: 'The transactions of an account, without payer and payee.',
  rules: ['FEED-2', 'FEED-3', 'FEED-4'],
  params: accountParams,
  query: transactionsQuery,
  reply: pageOf(Type.Object(transaction)),
  failsWith: ['environmentMismatch', 'notFound', 'bankAuthorisationRequired'],
});

export const getBankBalance = operation({
  id: 'getBankBalance',
  route: 'GET /api/bank/accounts/:accountId/balance',
  access: 'secret',
  summary: 'The balance of an account.',
  rules: ['FEED-2', 'FEED-3'],
  params: accountParams,
  reply: Type.Object({
    balance: nullable(
      Type.Number({ description: 'Negative: overdrawn. Null: the bank shows none.' }),
    ),
    currency: Type.String(),
  }),
  failsWith: ['environmentMismatch', 'notFound', 'bankAuthorisationRequired'],
});

/** Chooses a bank, agrees, logs in there and returns, as a customer would. */
export const linkInSandbox = operation({
  id: 'linkInSandbox',
  route: 'POST /api/sandbox/bank/auth/:accountAuthId/link',
  access: 'sandboxSecret',
  summary: 'Link accounts through the real flow, without a browser.',
  rules: ['FEED-5'],
  idempotent: true,
  params: authorisationParams,
  body: Type.Object({
    institutionId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Default mock-sandbox-v1: static data, the same on every run.',
      }),
    ),
    outcome: Type.Optional(
      Type.Enum(['SUCCESS', 'FAILED', 'CANCELLED'], { description: 'Default SUCCESS.' }),
    ),
    account: Type.Optional(
      Type.Object(
        {
          sortCode: Type.String({ pattern: '^\\d{6}$' }),
          accountNumber: Type.String({ pattern: '^\\d{8}$' }),
        },
        {
          description:
            'The customer holds just this account, such as the one that payouts go to. ' +
            'Default: a customer with accounts of its own. Not at mock-sandbox-v1.',
        },
      ),
    ),
  }),
  bodyOptional: true,
  reply: Type.Object({
    redirectUrl: Type.String({ description: 'Where the browser of the customer would be now.' }),
  }),
  failsWith: [
    'environmentMismatch',
    'notFound',
    'invalidState',
    'railNotConfigured',
    'unavailable',
  ],
});
