import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Database } from '../database/open-database.ts';
import { errorReply } from '../http/error-reply.ts';
import type { DecideOnce, IdempotencyKey, Replay, SaveReply } from '../http/route.ts';
import type { Uses } from '../tools.ts';
import { type Claim, type IdempotencyStore, idempotencyStore, type SavedReply } from './store.ts';

/** Short, so that the key of a program that died is free soon; renewed while the operation runs. */
const lease = { forMs: 10_000, renewedEveryMs: 3_000 };

/** Runs an operation once per key; later calls get the outcome of the first (WIRE-9). */
export const saveReply =
  (store: IdempotencyStore, { forMs, renewedEveryMs } = lease): SaveReply =>
  async (tenant, operation, requested, execute) => {
    const claim = await store.claim(tenant, operation, requested, forMs);
    if (!claim) return replay(await store.read(tenant, operation, requested.key), requested);
    // A renewal that fails is tried again; at the worst the lease runs out.
    const renewing = setInterval(
      () => void claim.renew(forMs).catch(() => undefined),
      renewedEveryMs,
    );
    try {
      const answer = await executing(claim, () => execute(deciding(claim)));
      await claim.save(200, answer);
      return answer;
    } finally {
      clearInterval(renewing);
    }
  };

const executing = async (claim: Claim, execute: () => Promise<string>): Promise<string> => {
  try {
    return await execute();
  } catch (error) {
    const { statusCode, body } = errorReply(error);
    // A database that does not answer would keep this write waiting, too: the lease runs out.
    if (error instanceof DatabaseUnavailable) void claim.interrupt().catch(() => undefined);
    else if (statusCode >= 500) await claim.interrupt();
    else if (isExecuted(statusCode) && !(error instanceof Failure && error.isUntried))
      await claim.save(statusCode, JSON.stringify(body));
    else await claim.release();
    throw error;
  }
};

const deciding =
  (claim: Claim): DecideOnce =>
  async (decide) => {
    const decided = claim.intent ?? (await claim.decide(await decide()));
    if (decided === undefined) throw inUse();
    return decided;
  };

/** These say that nothing ran, so the corrected call may use the same key (WIRE-10). */
const isExecuted = (statusCode: number): boolean => ![400, 401, 403, 404, 429].includes(statusCode);

/** The answer for a key that was used before. */
export const replay = (saved: SavedReply | undefined, requested: IdempotencyKey): Replay => {
  if (!saved) throw inUse();
  if (!saved.body_sha256.equals(requested.bodySha256))
    throw new Failure(failures.idempotencyKeyReused);
  if (saved.status_code === null || saved.reply === null) throw inUse(saved.free_after_seconds);
  return { replayed: { statusCode: saved.status_code, reply: saved.reply } };
};

const inUse = (freeAfterSeconds: number | null = null): Failure =>
  new Failure(failures.idempotencyKeyInUse, {
    retryAfterSeconds: Math.max(1, freeAfterSeconds ?? 1),
  });

/** What was answered under a key stands, whatever has changed since. A key that is new costs nothing. */
export const replayIfRefused = async <Reply>(
  { database }: { readonly database: Database },
  tenant: Tenant,
  operation: string,
  key: IdempotencyKey | null,
  execute: () => Promise<Reply | Replay>,
): Promise<Reply | Replay> => {
  try {
    return await execute();
  } catch (error) {
    // A database that does not answer would keep this look waiting, too.
    if (!key || !(error instanceof Failure) || error.definition.status === 503) throw error;
    const saved = await idempotencyStore(database).read(tenant, operation, key.key);
    if (saved) return replay(saved, key);
    throw error;
  }
};

type Begun = {
  /** What the first call under the key found. */
  readonly subject: string;
  /** A program died under this key: what it had begun may be done already, and by this key. */
  readonly isRepeat: boolean;
};

/**
 * For what can be done once, such as a deletion: `find` refuses where there is nothing to do, and names
 * it. A repeat that finds it done knows that the same key did it, and answers the same (WIRE-8).
 */
export const beginOnce = async (
  { ids }: Uses<'ids'>,
  decideOnce: DecideOnce,
  find: () => Promise<string>,
): Promise<Begun> => {
  const own = ids.uuid();
  const decided = await decideOnce(async () => `${own} ${await find()}`);
  const [begunBy, subject = ''] = decided.split(' ');
  return { subject, isRepeat: begunBy !== own };
};
