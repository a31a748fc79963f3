import { createHash } from 'node:crypto';
import { tenantOf } from '#kernel/environment.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { MerchantElsewhere } from '#platform/database/database-unavailable.ts';
import { bearerSecret, refusedSecret } from '#platform/http/bearer-secret.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { leadToCells } from './find-public-id.ts';
import { isAccessSecret } from './secrets.ts';
import { findSecret, touchSecret } from './store.ts';

export type Authentication = {
  /** The caller of `Authorization: Bearer <secret>`; 401 for anything else. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** A secret that this process revoked is refused from now on. */
  readonly forget: (secretId: string) => void;
  /** Waits for writes that run beside the requests. */
  readonly drain: () => Promise<void>;
};

type Known = {
  readonly caller: Caller;
  readonly expiresAtMs: number;
  readonly knownUntilMs: number;
};

/** A secret that another cell has answered for: it is led there, and counts as refused no more. */
type Elsewhere = { readonly address: string; readonly untilMs: number };
const knownElsewhereMs = 60_000;

// Short enough that a revocation elsewhere needs no message between processes: a message can be
// lost with its connection, a time cannot. It costs one look-up per secret, process and 5 seconds.
const knownForMs = 5_000;
const knownMax = 10_000;
const usedAgainAfterMs = 60_000;

export const openAuthentication = (tools: Uses<'database' | 'clock' | 'log'>): Authentication => {
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<Known | null>>();
  const elsewhere = new Map<string, Elsewhere>();
  const usage = recordUsage(tools);

  const lookUp = async (secretSha256: Buffer, key: string): Promise<Known | null> => {
    const [row] = await tools.database.system(findSecret, { secretSha256 });
    if (!row) {
      // One that was made after its merchant had moved is known in the other cell.
      const known = elsewhere.get(key);
      const remember = (address: string, status: number): void => {
        const untilMs = tools.clock.now().getTime() + knownElsewhereMs;
        if (status !== 401) setBounded(elsewhere, key, { address, untilMs }, knownMax);
      };
      if (known && tools.clock.now().getTime() < known.untilMs)
        throw new MerchantElsewhere([known.address], null, remember);
      await leadToCells(tools, 401, remember);
      return null;
    }
    if (row.cell_address) throw new MerchantElsewhere([row.cell_address]);
    const caller: Caller = {
      tenant: tenantOf(row),
      secretId: row.secret_id,
      redirectUrl: row.redirect_url,
      isReadOnly: row.is_read_only,
      by: { kind: 'secret' },
    };
    const found = {
      caller,
      expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      // While it is moved to another cell, it may be there at any moment.
      knownUntilMs: tools.clock.now().getTime() + (row.is_moving ? 0 : knownForMs),
    };
    setBounded(known, key, found, knownMax);
    return found;
  };

  /** Concurrent requests with one secret read the database once. */
  const find = (secret: string, nowMs: number): Known | Promise<Known | null> => {
    const secretSha256 = createHash('sha256').update(secret).digest();
    const key = secretSha256.toString('base64');
    const cached = known.get(key);
    if (cached && nowMs < cached.knownUntilMs) return cached;
    known.delete(key);
    const running = pending.get(key);
    if (running) return running;
    const lookup = lookUp(secretSha256, key).finally(() => pending.delete(key));
    pending.set(key, lookup);
    return lookup;
  };

  return {
    authenticate: async (authorization) => {
      const secret = bearerSecret(authorization);
      if (!isAccessSecret(secret)) throw refusedSecret(authorization);
      const now = tools.clock.now();
      const found = await find(secret, now.getTime());
      if (!found || found.expiresAtMs <= now.getTime()) throw refusedSecret(authorization);
      usage.record(found.caller, now);
      return found.caller;
    },
    forget: (secretId) => {
      pending.clear();
      for (const [key, { caller }] of known) if (caller.secretId === secretId) known.delete(key);
    },
    drain: usage.drain,
  };
};

/** `last_used_at`, at most once a minute per secret and never waited for. */
const recordUsage = (tools: Uses<'database' | 'log'>) => {
  const recordedMs = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  const write = async ({ tenant, secretId }: Caller, usedAt: Date): Promise<void> => {
    try {
      await tools.database.tenant(tenant.merchantId, touchSecret, { ...tenant, secretId, usedAt });
    } catch (error) {
      tools.log.warn({ error: (error as Error).message }, 'last use of a secret not recorded');
    }
  };
  return {
    record: (caller: Caller, now: Date): void => {
      const nowMs = now.getTime();
      if (nowMs - (recordedMs.get(caller.secretId) ?? 0) < usedAgainAfterMs) return;
      setBounded(recordedMs, caller.secretId, nowMs, knownMax);
      const written = write(caller, now).finally(() => writing.delete(written));
      writing.add(written);
    },
    drain: async (): Promise<void> => {
      await Promise.all(writing);
    },
  };
};
