import { tenantOf } from '#kernel/environment.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { rememberSigningSecrets } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  decryptAuthentication,
  type EndpointAuthentication,
} from '../../endpoints/endpoint-authentication.ts';
import { type EndpointConfigRow, readEndpointConfig } from '../../endpoints/store/endpoints.ts';
import { signingSecretContext } from '../../secrets/signing-secrets.ts';
import type { ClaimedRow } from '../store/queue.ts';
import type { SigningKeys } from './sign-delivery.ts';

export type EndpointConfig = {
  readonly url: URL;
  readonly authentication: EndpointAuthentication;
  readonly keysFor: (row: ClaimedRow) => Promise<SigningKeys>;
};

const rememberedMs = 60_000;
const maxRemembered = 5_000;
/** Each adds to a header, which receivers accept up to a length. */
const maxPrevious = 3;

type Remembered = {
  readonly version: number;
  readonly until: number;
  readonly config: Promise<EndpointConfig>;
};

/**
 * Decrypted secrets are cached for a minute; a claim with a newer version reads them again at once.
 */
export const endpointConfigs = (tools: Uses<'database' | 'secrets'>) => {
  const remembered = new Map<string, Remembered>();
  const accessSecrets = rememberSigningSecrets(tools);
  const open = async (row: ClaimedRow): Promise<EndpointConfig> => {
    const tenant = tenantOf(row);
    const values = { ...tenant, endpointId: row.endpoint_id };
    const [found] = await tools.database.system(readEndpointConfig, values);
    if (!found) throw new Error('the endpoint of the delivery was not found');
    const keys = openKeys(tools, tenant, found);
    return {
      url: new URL(found.url),
      authentication: decryptAuthentication(
        tools.secrets,
        tenant,
        row.endpoint_id,
        found.auth_encrypted,
      ),
      keysFor: async (delivery) => {
        const signing = keys(delivery.claimed_at);
        if (signing) return signing;
        const secret = await accessSecrets(tenant, delivery.signing_secret_id);
        return { version: 1, accessSecret: secret?.secret ?? null };
      },
    };
  };
  return (row: ClaimedRow): Promise<EndpointConfig> => {
    const known = remembered.get(row.endpoint_id);
    if (known && known.version === row.endpoint_version && known.until > performance.now())
      return known.config;
    const config = open(row);
    const until = performance.now() + rememberedMs;
    setBounded(
      remembered,
      row.endpoint_id,
      { version: row.endpoint_version, until, config },
      maxRemembered,
    );
    config.catch(() => remembered.delete(row.endpoint_id));
    return config;
  };
};

/** Null: the tenant has no signing secret, so v1 applies. */
const openKeys = (
  { secrets }: Uses<'secrets'>,
  tenant: Parameters<typeof signingSecretContext>[0],
  found: EndpointConfigRow,
) => {
  const keys = (found.secret_ids ?? []).map((secretId, at) => ({
    isNext: secretId === found.next_id,
    key: secrets.decrypt(
      found.secrets_encrypted[at] ?? Buffer.alloc(0),
      signingSecretContext(tenant, secretId),
    ),
    expiresAt: found.secrets_expire_at[at] ?? null,
  }));
  return (now: Date): SigningKeys | null => {
    const [current, ...previous] = keys
      .filter(({ isNext, expiresAt }) => !isNext && (expiresAt === null || expiresAt > now))
      .map(({ key }) => key);
    const next = keys.find(({ isNext }) => isNext)?.key ?? null;
    if (!current) return null;
    return { version: 2, current, previous: previous.slice(0, maxPrevious), next };
  };
};
