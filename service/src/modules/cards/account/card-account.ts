import { failures } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { findCardAccount, saveCardAccount } from './store/card-account.ts';

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

/** The keys that this merchant's processor issued; null: it has none of its own. */
export const readOwnCardAccount = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
): Promise<CardAccount | null> => {
  const [row] = await tools.database.tenant(tenant.merchantId, findCardAccount, tenant);
  if (!row) return null;
  return {
    environment: tenant.environment,
    accountKey: row.account_key,
    secretKey: tools.secrets.decryptText(
      row.secret_key_encrypted,
      accountContext(tenant, 'secret_key'),
    ),
    webhookSecret: tools.secrets.decryptText(
      row.webhook_secret_encrypted,
      accountContext(tenant, 'webhook_secret'),
    ),
  };
};

/** Replaces the keys; programs use the new ones within seconds. */
export const setCardAccount = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { secretKey, webhookSecret, accountKey }: OwnAccount,
): Promise<void> => {
  const [saved] = await tools.database.tenant(tenant.merchantId, saveCardAccount, {
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

export const accountContext = (
  { merchantId, environment }: Tenant,
  column: string,
): SecretContext => ({
  table: 'card_account',
  row: `${merchantId}/${environment}`,
  column,
});
