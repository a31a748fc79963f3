import { failures } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type CardAccountRow,
  chooseCardAccount,
  deleteFormerAccount,
  listCardAccounts,
  saveCardAccountKeys,
} from './store/card-account.ts';

/** An account at the card processor, in one environment. */
export type CardAccount = {
  readonly environment: Environment;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /**
   * The processor's id of the account, which stays when its keys are replaced; absent: the
   * simulated one.
   */
  readonly accountKey?: string;
  /** The simulated processor; absent: the real one. */
  readonly apiUrl?: string;
};

type OwnAccount = Required<Pick<CardAccount, 'secretKey' | 'webhookSecret' | 'accountKey'>>;

export type OwnCardAccounts = {
  /** Null: the merchant has chosen none of its own. */
  readonly inUse: CardAccount | null;
  /** Those that open work may still need (CARD-20). */
  readonly former: readonly CardAccount[];
};

/** The keys that this merchant's processor issued. */
export const readOwnCardAccounts = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
): Promise<OwnCardAccounts> => {
  const rows = await tools.database.tenant(tenant.merchantId, listCardAccounts, tenant);
  const [first, ...rest] = rows.map((row) => accountOf(tools, tenant, row));
  if (!first) return { inUse: null, former: [] };
  const isChosen = rows[0]?.chosen_at != null;
  return isChosen ? { inUse: first, former: rest } : { inUse: null, former: [first, ...rest] };
};

const accountOf = (
  { secrets }: Uses<'secrets'>,
  tenant: Tenant,
  row: CardAccountRow,
): CardAccount => ({
  environment: tenant.environment,
  accountKey: row.account_key,
  secretKey: secrets.decryptText(row.secret_key_encrypted, accountContext(tenant, 'secret_key')),
  webhookSecret: secrets.decryptText(
    row.webhook_secret_encrypted,
    accountContext(tenant, 'webhook_secret'),
  ),
});

/** The account for all new work, or its new keys; programs follow within seconds. */
export const setCardAccount = (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  account: OwnAccount,
): Promise<void> => save(tools, tenant, account, chooseCardAccount);

/** Keys for the open work of an account; which one is in use stays as it is. */
export const saveCardAccount = (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  account: OwnAccount,
): Promise<void> => save(tools, tenant, account, saveCardAccountKeys);

const save = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { secretKey, webhookSecret, accountKey }: OwnAccount,
  statement: typeof chooseCardAccount,
): Promise<void> => {
  const [saved] = await tools.database.tenant(tenant.merchantId, statement, {
    ...tenant,
    accountKey,
    secretKeyEncrypted: tools.secrets.encrypt(secretKey, accountContext(tenant, 'secret_key')),
    webhookSecretEncrypted: tools.secrets.encrypt(
      webhookSecret,
      accountContext(tenant, 'webhook_secret'),
    ),
  });
  if (!saved) throw new Failure(failures.notFound, { message: 'There is no such merchant.' });
};

export type ListedCardAccount = {
  readonly accountKey: string;
  readonly isInUse: boolean;
  readonly chosenAt: Date | null;
};

/** Without keys. */
export const listOwnCardAccounts = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly ListedCardAccount[]> => {
  const rows = await database.tenant(tenant.merchantId, listCardAccounts, tenant);
  return rows.map(({ account_key: accountKey, chosen_at: chosenAt }, position) => ({
    accountKey,
    isInUse: position === 0 && chosenAt !== null,
    chosenAt,
  }));
};

/** Never the account in use: false. */
export const forgetCardAccount = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<boolean> => {
  const values = { ...tenant, accountKey };
  return (await database.tenant(tenant.merchantId, deleteFormerAccount, values)).length > 0;
};

/** One context for all accounts of a merchant: a former account's keys stay as they are. */
export const accountContext = (
  { merchantId, environment }: Tenant,
  column: string,
): SecretContext => ({
  table: 'card_account',
  row: `${merchantId}/${environment}`,
  column,
});
