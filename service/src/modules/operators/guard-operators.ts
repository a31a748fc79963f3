import { createHash, timingSafeEqual } from 'node:crypto';
import { failures, limits, type Operation } from '@florin/contract';
import type { FastifyRequest } from 'fastify';
import { environmentNamed } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import {
  type Act,
  audited,
  caught,
  type Detail,
  detailOf,
  idsOf,
  namesOfOthers,
  readAnswer,
  recordRefusal,
} from '#modules/audit/index.ts';
import { isAccessSecret } from '#modules/merchants/index.ts';
import { bearerSecret, refusedSecret } from '#platform/http/bearer-secret.ts';
import { openBuckets } from '#platform/http/rate/open-buckets.ts';
import type { Operator } from '#platform/http/route.ts';
import type { RouteGuards } from '#platform/http/serve-route.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { listOperatorSecretRows, type OperatorSecretRow } from './store.ts';

/**
 * Whose operator secret this is. Nothing is cached, so that a revoked
 * secret is refused at once by every process.
 */
export const authenticateOperator = (tools: Uses<'database' | 'clock' | 'log'>) => {
  const secondsToWait = openBuckets(tools.clock, limits.operatorRequestsPerSecond);
  return async (authorization: string | undefined, address: string): Promise<Operator> => {
    const retryAfterSeconds = secondsToWait(address);
    if (retryAfterSeconds !== null) throw new Failure(failures.rateLimited, { retryAfterSeconds });
    const secret = bearerSecret(authorization);
    const rows = isAccessSecret(secret, true)
      ? await tools.database.system(listOperatorSecretRows, {})
      : [];
    const found = findSecret(rows, secret);
    if (found && isActive(found, tools.clock.now()))
      return { operatorSecretId: found.operator_secret_id, personId: null, name: found.name };
    metrics.add('florin_operator_secrets_refused_total');
    tools.log.warn({ address }, 'a wrong operator secret was refused');
    throw refusedSecret(authorization);
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

/** Lets an operator with a secret through, and records every call, refused ones too. */
export const guardOperators = (
  tools: Uses<'database' | 'ids' | 'clock' | 'log'>,
): RouteGuards['operators'] => {
  const authenticate = authenticateOperator(tools);
  return async (request, operation, check, run) => {
    const operator = await authenticate(request.headers.authorization, request.ip);
    return auditedCall(tools, { request, operation, operator, channel: 'API' }, check, run);
  };
};

type OperatorCall = {
  readonly request: FastifyRequest;
  readonly operation: Operation;
  readonly operator: Operator;
  readonly channel: 'API' | 'DASHBOARD';
};

/** A call of an operator, who was found already; recorded also when it is refused. */
export const auditedCall = async <Answer>(
  tools: Uses<'database' | 'ids' | 'log'>,
  call: OperatorCall,
  check: () => void,
  run: (operator: Operator) => Promise<Answer>,
): Promise<Answer> => {
  const refusal = caught(check);
  const act = actOf(call);
  if (!refusal)
    return audited(
      tools,
      act,
      () => run(call.operator),
      (answer) => idsOf(readAnswer(answer)),
    );
  // What was refused may hold a card number.
  await recordRefusal(tools, { ...act, detail: {} }, refusal.error);
  throw refusal.error;
};

const actOf = (call: OperatorCall): Act => {
  const { request, operation, operator, channel } = call;
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const { merchantId = '', environment, ...rest } = params;
  return {
    ...{ channel, actorKind: 'OPERATOR', address: request.ip, action: operation.id },
    actorId: operator.personId ?? operator.operatorSecretId,
    actor: operator.personId ? null : operator.name,
    merchantId: isUuid(merchantId) ? merchantId : null,
    environment: environmentNamed(environment),
    detail: { ...detailOf(operation, { params: rest, body: request.body }), ...othersOf(call) },
  };
};

/** What was given besides, by name: an address, an account and a reason stay where erasure reaches them. */
const othersOf = ({ operation, request }: OperatorCall): Detail => {
  const names = namesOfOthers(operation, request.body);
  return names.length === 0 ? {} : { given: names };
};
