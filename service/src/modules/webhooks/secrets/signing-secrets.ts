import {
  type rotateSigningSecret as describedRotateSigningSecret,
  failures,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { retryTaken } from '#platform/database/database-unavailable.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import {
  findStagedSecret,
  listSecrets,
  promoteSecret,
  rotateSecret,
  type SigningSecretRow,
  stageSecret,
} from './store.ts';

const secretBytes = 32;
const prefix = 'whsec_';

/** As shown once to the merchant, and as stored. */
const newSigningSecret = ({ ids, secrets }: Uses<'ids' | 'secrets'>, tenant: Tenant) => {
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

/** There is one current secret and one staged: two that are created concurrently replace one another. */
const writeInTurn = <Row>(write: () => Promise<Row>): Promise<Row> => retryTaken(10, write);

type Listed = ReplyOf<typeof describedRotateSigningSecret>['signing'][number];

/** What signs a delivery that leaves now. */
export const listSigningSecrets = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<Listed[]> =>
  (await database.tenant(tenant.merchantId, listSecrets, tenant)).map((row) => ({
    role: roleOf(row),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }));

const roleOf = ({ is_next, expires_at }: SigningSecretRow): Listed['role'] => {
  if (is_next) return 'NEXT';
  return expires_at === null ? 'CURRENT' : 'PREVIOUS';
};

/** The staged secret replaces the current one, which signs beside it for a while. */
export const promoteSigningSecret = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const find = async () => {
    const [staged] = await tools.database.tenant(tenant.merchantId, findStagedSecret, tenant);
    if (!staged) throw noneStaged();
    return staged.secret_id;
  };
  const { subject: secretId, isRepeat } = await beginOnce(tools, decideOnce, find);
  const values = { ...tenant, secretId, overlapHours };
  const [row] = await tools.database.tenant(tenant.merchantId, promoteSecret, values);
  if (!row && isRepeat) return promotedBefore(tools, tenant);
  if (!row) throw noneStaged();
  return {
    signsSince: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
    signing: await listSigningSecrets(tools, tenant),
  };
};

const promotedBefore = async (tools: Uses<'database'>, tenant: Tenant) => {
  const signing = await listSigningSecrets(tools, tenant);
  const current = signing.find(({ role }) => role === 'CURRENT');
  if (!current) throw noneStaged();
  const previous = signing.find(({ role }) => role === 'PREVIOUS');
  return { signsSince: current.createdAt, previousExpiresAt: previous?.expiresAt ?? null, signing };
};

const noneStaged = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'No signing secret is staged: stage the next one first.',
  });

/** Makes the tenant's signing secret, or the next one. The first switches it to v2 (WEBHOOK-9). */
export const rotateSigningSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
  overlapHours: number = limits.webhookSecretOverlapHours,
) => {
  const { shown, values } = newSigningSecret(tools, tenant);
  const [row] = await writeInTurn(() =>
    tools.database.tenant(tenant.merchantId, rotateSecret, { ...values, overlapHours }),
  );
  if (!row) throw new Error('the signing secret was not written');
  return {
    signingSecret: shown,
    createdAt: row.created_at.toISOString(),
    previousExpiresAt: row.previous_expires_at?.toISOString() ?? null,
    signing: await listSigningSecrets(tools, tenant),
  };
};

/** For receivers that accept one secret only: it can be tested before it signs alone. */
export const stageSigningSecret = async (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  tenant: Tenant,
) => {
  const { shown, values } = newSigningSecret(tools, tenant);
  const [row] = await writeInTurn(() =>
    tools.database.tenant(tenant.merchantId, stageSecret, values),
  );
  if (!row) throw noSecret();
  return { signingSecret: shown, createdAt: row.created_at.toISOString() };
};

const noSecret = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'There is no signing secret yet: generate the first one.',
  });
