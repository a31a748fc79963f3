import { createHash, timingSafeEqual } from 'node:crypto';
import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isAccessSecret } from '#modules/merchants/index.ts';
import { openBuckets } from '#platform/http/rate/open-buckets.ts';
import type { Operator } from '#platform/http/route.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { listOperatorSecretRows, type OperatorSecretRow } from './store/operator-secrets.ts';

const bearer = /^bearer +(\S+) *$/i;

/**
 * Whose operator secret this is; the same 401 for every mistake. Nothing is cached, so that a revoked
 * secret is refused at once by every process.
 */
export const authenticateOperator = (tools: Uses<'database' | 'clock' | 'log'>) => {
  const secondsToWait = openBuckets(tools.clock, limits.operatorRequestsPerSecond);
  return async (authorization: string | undefined, address: string): Promise<Operator> => {
    const retryAfterSeconds = secondsToWait(address);
    if (retryAfterSeconds !== null) throw new Failure(failures.rateLimited, { retryAfterSeconds });
    const secret = bearer.exec(authorization ?? '')?.[1] ?? '';
    const rows = isAccessSecret(secret, true)
      ? await tools.database.system(listOperatorSecretRows, {})
      : [];
    const found = findSecret(rows, secret);
    if (found && isActive(found, tools.clock.now()))
      return { operatorSecretId: found.operator_secret_id, personId: null, name: found.name };
    metrics.add('florin_operator_secrets_refused_total');
    tools.log.warn({ address }, 'a wrong operator secret was refused');
    throw new Failure(failures.invalidCredential);
  };
};

/** Compares with every row, so that the time says nothing about which one was near. */
const findSecret = (
  rows: readonly OperatorSecretRow[],
  secret: string,
): OperatorSecretRow | undefined => {
  const given = createHash('sha256').update(secret).digest();
  return rows.filter((row) => timingSafeEqual(row.secret_sha256, given))[0];
};

const isActive = ({ revoked_at, expires_at }: OperatorSecretRow, now: Date): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now);
