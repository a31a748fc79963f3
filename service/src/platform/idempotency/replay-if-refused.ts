import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Database } from '../database/open-database.ts';
import type { IdempotencyKey, Replay } from '../http/route.ts';
import { replay } from './save-reply.ts';
import { idempotencyStore } from './store.ts';

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
