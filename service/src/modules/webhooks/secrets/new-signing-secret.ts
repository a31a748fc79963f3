import type { Tenant } from '#kernel/environment.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';

const secretBytes = 32;
const prefix = 'whsec_';

/** As shown once to the merchant, and as stored. */
export const newSigningSecret = ({ ids, secrets }: Uses<'ids' | 'secrets'>, tenant: Tenant) => {
  const secretId = ids.uuid();
  const key = ids.bytes(secretBytes);
  const secretEncrypted = secrets.encrypt(key, signingSecretContext(tenant, secretId));
  return {
    shown: `${prefix}${key.toString('base64')}`,
    values: { ...tenant, secretId, secretEncrypted },
  };
};

export const signingSecretContext = (tenant: Tenant, secretId: string): SecretContext => ({
  table: 'webhook_signing_secret',
  row: `${tenant.merchantId}/${tenant.environment}/${secretId}`,
  column: 'secret_encrypted',
});

const maxAttempts = 10;

/**
 * There is one current secret and one staged: two that are created concurrently replace one
 * another.
 */
export const writeInTurn = async <Row>(write: () => Promise<Row>): Promise<Row> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isUniqueViolation(error) || attempt >= maxAttempts) throw error;
    }
  }
};
