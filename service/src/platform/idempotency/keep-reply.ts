import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { errorReply } from '../http/error-reply.ts';
import type { IdempotencyKey, Replay } from '../http/route.ts';
import type { IdempotencyStore, KeptReply } from './store.ts';

const leaseMs = 60_000;

export type KeepReply = (
  tenant: Tenant,
  operation: string,
  asked: IdempotencyKey,
  execute: () => Promise<string>,
) => Promise<string | Replay>;

/** Runs an operation once per key; the first executed outcome is given again (WIRE-9). */
export const keepReply =
  (store: IdempotencyStore): KeepReply =>
  async (tenant, operation, asked, execute) => {
    if (!(await store.claim(tenant, operation, asked.key, asked.bodySha256, leaseMs)))
      return replay(await store.read(tenant, operation, asked.key), asked);
    try {
      const answer = await execute();
      await store.keep(tenant, operation, asked.key, 200, answer);
      return answer;
    } catch (error) {
      const { statusCode, body } = errorReply(error);
      if (isExecuted(statusCode))
        await store.keep(tenant, operation, asked.key, statusCode, JSON.stringify(body));
      else await store.release(tenant, operation, asked.key);
      throw error;
    }
  };

/** A 400 says that nothing ran, so the corrected call may use the same key. */
const isExecuted = (statusCode: number): boolean =>
  statusCode < 500 && ![400, 401, 429].includes(statusCode);

/** What a caller gets whose key is known already. */
export const replay = (kept: KeptReply | undefined, asked: IdempotencyKey): Replay => {
  if (!kept) throw new Failure(failures.idempotencyKeyInUse, { retryAfterSeconds: 1 });
  if (!kept.body_sha256.equals(asked.bodySha256)) throw new Failure(failures.idempotencyKeyReused);
  if (kept.status_code === null || kept.reply === null)
    throw new Failure(failures.idempotencyKeyInUse, { retryAfterSeconds: 1 });
  return { replayed: { statusCode: kept.status_code, reply: kept.reply } };
};
