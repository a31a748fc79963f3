import Type, { type Static } from 'typebox';
import { nullable, timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { changeMerchant, getMerchant, suspensionFields } from '../operator/merchants.ts';
import { getPayoutSettings } from '../operator/payout-settings.ts';
import { amountPartFields, switchFields, tipFields } from '../sandbox/merchants.ts';
import { emailAddress } from './sign-in.ts';

const own = (changeMerchant.body as NonNullable<typeof changeMerchant.body>).properties;
const shown = getMerchant.reply.properties;

/** Of the operator; null: there is none. */
const ownSuspension = {
  reason: suspensionFields.reason,
  suspendedAt: suspensionFields.suspendedAt,
};

const settings = Type.Object({
  businessName: shown.businessName,
  ownerEmail: shown.ownerEmail,
  categoryCode: shown.categoryCode,
  paymentLimit: shown.paymentLimit,
  paymentLimitMax: Type.Number({ description: 'Up to it a member may raise the limit.' }),
  avatarUrl: shown.avatarUrl,
  logoUrl: shown.logoUrl,
  expiresInMs: nullable(
    Type.Integer({
      minimum: limits.expiresInMsSettingMin,
      maximum: limits.expiresInMsMax,
      description: 'How long requests live that do not say so. Null: three minutes.',
    }),
  ),
  refundApprovalAbove: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Pounds of this environment. Above it a refund needs a second person.',
    }),
  ),
  accentColour: shown.accentColour,
  supportEmail: shown.supportEmail,
  supportPhone: shown.supportPhone,
  supportUrl: shown.supportUrl,
  switches: Type.Object(switchFields, { description: 'Of this environment.' }),
  suspension: nullable(
    Type.Object(ownSuspension, { description: 'Of this environment: nothing new starts.' }),
  ),
  now: timestamp("The tenant's time."),
  tips: nullable(Type.Object(tipFields)),
  amountParts: Type.Object(amountPartFields),
  statementEmails: Type.Array(Type.String(), {
    description: 'Who gets the statement of each month of this environment.',
  }),
});

export const getSettings = operation({
  id: 'getSettings',
  route: 'GET /settings',
  access: 'member',
  summary: 'Read the business profile and what the hosted page offers.',
  rules: ['DASHBOARD-48'],
  reply: settings,
});

/** What is left out stays. It is the same in both environments. */
export const changeSettings = operation({
  id: 'changeSettings',
  route: 'PUT /settings',
  access: 'member',
  summary: 'Change the business profile, its look and its contact.',
  rules: ['DASHBOARD-48'],
  body: Type.Object({
    businessName: own.businessName,
    ownerEmail: own.ownerEmail,
    avatarUrl: own.avatarUrl,
    logo: own.logo,
    accentColour: own.accentColour,
    supportEmail: own.supportEmail,
    supportPhone: own.supportPhone,
    supportUrl: own.supportUrl,
  }),
  reply: settings,
});

export const changeLimits = operation({
  id: 'changeLimits',
  route: 'PUT /settings/limits',
  access: 'member',
  summary: 'Change the most that one payment may be, up to what the operator permits.',
  rules: ['DASHBOARD-48'],
  body: Type.Object({ paymentLimit: shown.paymentLimit }),
  reply: settings,
});

/** Of this environment, for requests from now on. */
export const changeExpiry = operation({
  id: 'changeExpiry',
  route: 'PUT /settings/expiry',
  access: 'member',
  summary: 'Say how long requests can be paid that do not say so themselves.',
  rules: ['REQUEST-5', 'DASHBOARD-48'],
  body: Type.Object({ expiresInMs: settings.properties.expiresInMs }),
  reply: settings,
});

/** Of this environment. */
export const changeTips = operation({
  id: 'changeTips',
  route: 'PUT /settings/tips',
  access: 'member',
  summary: 'Choose the tips that payers are offered.',
  rules: ['REQUEST-13', 'DASHBOARD-48'],
  body: Type.Object(tipFields),
  reply: Type.Object(tipFields),
});

/** Of this environment. */
export const changeAmountParts = operation({
  id: 'changeAmountParts',
  route: 'PUT /settings/amount-parts',
  access: 'member',
  summary: 'Say how much VAT and service requested amounts include.',
  rules: ['MONEY-3', 'DASHBOARD-48'],
  body: Type.Object(amountPartFields),
  reply: Type.Object(amountPartFields),
});

/** Of this environment: each gets one mail on the first day of a month, at six in London. */
export const changeStatementMails = operation({
  id: 'changeStatementMails',
  route: 'PUT /settings/statement-mails',
  access: 'member',
  summary: 'Choose who gets the statement of each month by mail.',
  rules: ['DASHBOARD-41', 'DASHBOARD-48'],
  body: Type.Object({ emails: Type.Array(emailAddress(), { maxItems: limits.statementEmails }) }),
  reply: settings,
});

/** What the operator has set, and what is still missing before production takes money. */
export const getPaymentSettings = operation({
  id: 'getPaymentSettings',
  route: 'GET /settings/payments',
  access: 'member',
  summary: 'Read how payments and payouts are set up, and what production still needs.',
  rules: ['DASHBOARD-48'],
  reply: Type.Object({
    payouts: getPayoutSettings.reply,
    production: Type.Object({
      isAdmitted: Type.Boolean({ description: 'The operator let the members into production.' }),
      hasAccount: Type.Boolean({ description: 'Each store has a bank account of the business.' }),
      hasCards: Type.Boolean({ description: 'The operator has set up an account for cards.' }),
      hasSecret: Type.Boolean({ description: 'A program can call.' }),
      hasEndpoint: Type.Boolean({ description: 'A webhook endpoint is told what happens.' }),
    }),
  }),
});

/** What a form of settings holds before it is saved: the preview of the hosted page shows it. */
export const checkoutDraft = Type.Partial(
  Type.Object({
    businessName: own.businessName,
    avatarUrl: own.avatarUrl,
    logo: own.logo,
    accentColour: own.accentColour,
    supportEmail: own.supportEmail,
    supportPhone: own.supportPhone,
    supportUrl: own.supportUrl,
    tips: nullable(Type.Object(tipFields)),
    amountParts: Type.Object(amountPartFields),
  }),
);

export type CheckoutDraft = Static<typeof checkoutDraft>;
