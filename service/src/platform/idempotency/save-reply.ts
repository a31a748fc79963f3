import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { errorReply } from '../http/error-reply.ts';
import type { IdempotencyKey, Replay } from '../http/route.ts';
import type { IdempotencyStore, SavedReply } from './store.ts';

const leaseMs = 60_000;

export type SaveReply = (
  tenant: Tenant,
  operation: string,
  requested: IdempotencyKey,
  execute: () => Promise<string>,
) => Promise<string | Replay>;

/** Runs an operation once per key; later calls get the outcome of the first (WIRE-9). */
export const saveReply =
  (store: IdempotencyStore): SaveReply =>
  async (tenant, operation, requested, execute) => {
    if (!(await store.claim(tenant, operation, requested.key, requested.bodySha256, leaseMs)))
      return replay(await store.read(tenant, operation, requested.key), requested);
    try {
      const answer = await execute();
      await store.save(tenant, operation, requested.key, 200, answer);
      return answer;
    } catch (error) {
      const { statusCode, body } = errorReply(error);
      if (isExecuted(statusCode) && !(error instanceof Failure && error.isUntried))
        await store.save(tenant, operation, requested.key, statusCode, JSON.stringify(body));
      else await store.release(tenant, operation, requested.key);
      throw error;
    }
  };

/** After these nothing ran, so the corrected call may use the same key (WIRE-10). */
const isExecuted = (statusCode: number): boolean =>
  statusCode < 500 && ![400, 401, 403, 404, 429].includes(statusCode);

/** The answer for a key that was used before. */
export const replay = (saved: SavedReply | undefined, requested: IdempotencyKey): Replay => {
  if (!saved) throw new Failure(failures.idempotencyKeyInUse, { retryAfterSeconds: 1 });
  if (!saved.body_sha256.equals(requested.bodySha256))
    throw new Failure(failures.idempotencyKeyReused);
  if (saved.status_code === null || saved.reply === null)
    throw new Failure(failures.idempotencyKeyInUse, { retryAfterSeconds: 1 });
  return { replayed: { statusCode: saved.status_code, reply: saved.reply } };
};
