import Type from 'typebox';
import { nullable, oneLine, paged, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { switchFields } from '../sandbox/merchants.ts';

const merchantParams = Type.Object({ merchantId: uuid() });

/** A merchant in one environment, as paths of the operator name it. */
export const tenantParams = Type.Object({
  merchantId: uuid(),
  environment: Type.Enum(['sandbox', 'production']),
});

export const bankAccountFields = Type.Object({
  sortCode: Type.String({ pattern: '^\\d{6}$', errorMessage: 'must have 6 digits' }),
  accountNumber: Type.String({ pattern: '^\\d{8}$', errorMessage: 'must have 8 digits' }),
  name: Type.String({ minLength: 1, maxLength: limits.bankAccountNameLength, ...oneLine }),
});

const settings = {
  businessName: Type.String({ ...oneLine, maxLength: limits.businessNameLength }),
  ownerEmail: nullable(
    Type.String({ format: 'email', description: 'Where mail about this merchant goes.' }),
  ),
  categoryCode: Type.String({ pattern: '^\\d{4}$', description: 'ISO 18245.' }),
  paymentLimit: Type.Number({ description: 'Most pounds of one payment; two decimals.' }),
  completedAtSettlement: Type.Boolean({
    description: 'Strict settlement: COMPLETED only once the bank reports that money has moved.',
  }),
  avatarUrl: nullable(
    Type.String({
      pattern: '^https://\\S+$',
      maxLength: limits.urlLength,
      errorMessage: 'must be an https address of an image',
      description: 'The logo on the hosted page.',
    }),
  ),
  accentColour: nullable(
    Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      errorMessage: 'must be as in #7a3e1d',
      description: 'Of the hosted page.',
    }),
  ),
  supportEmail: nullable(
    Type.String({
      format: 'email',
      maxLength: limits.emailLength,
      description: 'Where payers may write.',
    }),
  ),
  supportPhone: nullable(
    Type.String({
      pattern: '^\\+?\\d(?:[ -]?\\d){5,14}$',
      maxLength: limits.supportPhoneLength,
      errorMessage: 'must be a telephone number of 6 to 15 digits, as in +44 20 7946 0000',
      description: 'Where payers may call.',
    }),
  ),
  supportUrl: nullable(
    Type.String({
      pattern: '^https://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:[/?#]\\S*)?$',
      maxLength: limits.urlLength,
      errorMessage: 'must be an https address of a page',
      description: 'Where payers find help.',
    }),
  ),
};

/** What a change takes beside the settings. */
const logo = nullable(
  Type.String({
    pattern: '^data:image/(?:svg\\+xml|png);base64,[A-Za-z0-9+/]+={0,2}$',
    maxLength: limits.logoTextLength,
    errorMessage: 'must be an SVG or PNG of at most 32 KB as a data: address in base64',
    description: 'The logo on the hosted page, served from our own address.',
  }),
);

/** What the operator has stopped, in one environment. */
export const suspensionFields = {
  environment: Type.Enum(['SANDBOX', 'PRODUCTION']),
  reason: Type.String({ description: 'Of the operator, for the members of the business.' }),
  suspendedAt: timestamp(),
  suspendedBy: Type.String({ description: 'The operator.' }),
  resumedAt: nullable(timestamp('Null: the merchant is suspended.')),
  resumedBy: nullable(Type.String()),
};

const { businessName, ...optionalSettings } = settings;

const mintedSecret = Type.Object({
  secretId: uuid(),
  secret: Type.String({ description: 'Shown in this reply only.' }),
});

const merchant = {
  merchantId: uuid(),
  ...settings,
  logoUrl: nullable(Type.String({ description: 'The path of the logo on this server.' })),
  switches: Type.Object({
    SANDBOX: Type.Object(switchFields),
    PRODUCTION: Type.Object(switchFields),
  }),
  suspensions: Type.Array(Type.Object(suspensionFields), {
    description: `The newest first, at most ${limits.suspensionsShown}; without resumedAt it is in force.`,
  }),
};

/** With a primary store, its bank accounts, and an access secret in each environment. */
export const createMerchant = operation({
  id: 'createMerchant',
  route: 'POST /api/operator/merchants',
  access: 'operator',
  summary: 'Create a merchant.',
  rules: ['OPERATE-2'],
  showsSecret: true,
  body: Type.Object({
    businessName,
    ...Type.Partial(Type.Object(optionalSettings)).properties,
    bankAccounts: Type.Object(
      { SANDBOX: bankAccountFields, PRODUCTION: bankAccountFields },
      { description: 'Of the primary store.' },
    ),
  }),
  reply: Type.Object({
    merchantId: uuid(),
    storeIds: Type.Object({ SANDBOX: uuid(), PRODUCTION: uuid() }),
    secrets: Type.Object({ SANDBOX: mintedSecret, PRODUCTION: mintedSecret }),
  }),
});

/** The newest first. */
export const listMerchants = operation({
  id: 'listMerchants',
  route: 'GET /api/operator/merchants',
  access: 'operator',
  summary: 'List the merchants.',
  rules: ['OPERATE-2'],
  query: Type.Object({
    status: Type.Optional(
      Type.Enum(['ACTIVE', 'SUSPENDED'], {
        description: 'SUSPENDED in an environment, or in none.',
      }),
    ),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: paged(
    Type.Object({
      merchantId: uuid(),
      businessName: Type.String(),
      createdAt: timestamp(),
      suspensions: Type.Array(Type.Object(suspensionFields), {
        description: 'Those in force, one for each environment.',
      }),
    }),
  ),
});

export const getMerchant = operation({
  id: 'getMerchant',
  route: 'GET /api/operator/merchants/:merchantId',
  access: 'operator',
  summary: 'Show the settings and switches of a merchant.',
  rules: ['OPERATE-2'],
  params: merchantParams,
  reply: Type.Object(merchant),
  failsWith: ['notFound'],
});

/** What is left out stays as it is; null takes what it stands for away. */
export const changeMerchant = operation({
  id: 'changeMerchant',
  route: 'PUT /api/operator/merchants/:merchantId',
  access: 'operator',
  summary:
    'Change limit, owner mail, strict settlement, branding and support contact of a merchant.',
  rules: ['OPERATE-2'],
  params: merchantParams,
  body: Type.Partial(Type.Object({ ...settings, logo })),
  reply: Type.Object(merchant),
  failsWith: ['notFound'],
});
