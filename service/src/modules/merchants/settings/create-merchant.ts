import { type BodyOf, limits, type createMerchant as operation } from '@florin/contract';
import { type Environment, environments } from '#kernel/environment.ts';
import { type Pence, pence } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import { type MintedSecret, newSecrets, type SecretOptions } from '../access/secrets.ts';
import { requireBankAccount } from '../stores/stores.ts';
import { paymentLimitPence } from './change-settings.ts';
import {
  firstMerchant,
  insertMerchant,
  type NewMerchantRows,
  type Settings,
} from './store/merchants.ts';

type Named = Pick<Settings, 'businessName'>;

export type NewMerchant = Named & {
  readonly [Name in Exclude<keyof Settings, keyof Named>]?: Settings[Name];
} & {
  readonly paymentLimitPence?: Pence;
  /** Of the primary store. */
  readonly bankAccounts: { readonly [Name in Environment]: BankAccount };
  /** Of the first secret in each environment. */
  readonly secret?: SecretOptions;
};

export type CreatedMerchant = {
  readonly merchantId: string;
  readonly storeIds: { readonly [Name in Environment]: string };
  readonly secrets: { readonly [Name in Environment]: MintedSecret };
};

/** A merchant with a primary store, its account, a clock, switches and a secret per environment. */
export const createMerchant = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  input: NewMerchant,
): Promise<CreatedMerchant> => {
  const { rows, created } = newMerchantRows(tools, input);
  await tools.database.system(insertMerchant, rows);
  return created;
};

/** The rows of a merchant that is created, and what is shown of them. */
export const newMerchantRows = (
  tools: Uses<'ids' | 'secrets'>,
  input: NewMerchant,
): { readonly rows: NewMerchantRows; readonly created: CreatedMerchant } => {
  const accounts = environments.map((environment) => input.bankAccounts[environment]);
  for (const account of accounts) requireBankAccount(account);
  const merchantId = tools.ids.uuid();
  const storeIds = environments.map(() => tools.ids.uuid());
  const secrets = newSecrets(tools, merchantId, environments, input.secret ?? {});
  const rows = {
    ...secrets.rows,
    businessName: input.businessName,
    ownerEmail: input.ownerEmail ?? null,
    categoryCode: input.categoryCode ?? '5999',
    paymentLimitPence: input.paymentLimitPence ?? pence(limits.paymentAmountPenceDefaultMax),
    completedAtSettlement: input.completedAtSettlement ?? false,
    avatarUrl: input.avatarUrl ?? null,
    accentColour: input.accentColour ?? null,
    supportEmail: input.supportEmail ?? null,
    supportPhone: input.supportPhone ?? null,
    supportUrl: input.supportUrl ?? null,
    storeIds,
    sortCodes: accounts.map(({ sortCode }) => sortCode),
    accountNumbers: accounts.map(({ accountNumber }) => accountNumber),
    accountNames: accounts.map(({ name }) => name),
    hasProductionAccount: true,
  };
  const minted = perEnvironment(secrets.minted);
  return { rows, created: { merchantId, storeIds: perEnvironment(storeIds), secrets: minted } };
};

const perEnvironment = <Value>(values: readonly Value[]): { [Name in Environment]: Value } =>
  Object.fromEntries(environments.map((environment, at) => [environment, values[at]])) as {
    [Name in Environment]: Value;
  };

/** The merchant that was created first: whether the start has to make one. */
export const findFirstMerchant = async (tools: Uses<'database'>): Promise<string | null> =>
  (await tools.database.system(firstMerchant, {}))[0]?.merchant_id ?? null;

/** As the operator asks for it: amounts in pounds. */
export const addMerchant = (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  { paymentLimit, accentColour, ...input }: BodyOf<typeof operation>,
): Promise<CreatedMerchant> =>
  createMerchant(tools, {
    ...input,
    accentColour: accentColour?.toLowerCase() ?? null,
    ...(paymentLimit === undefined ? {} : { paymentLimitPence: paymentLimitPence(paymentLimit) }),
  });
