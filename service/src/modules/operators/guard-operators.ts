import { limits, type Operation } from '@florin/contract';
import type { FastifyRequest } from 'fastify';
import { type Environment, environments } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Operator } from '#platform/http/route.ts';
import type { RouteGuards } from '#platform/http/serve-route.ts';
import type { Uses } from '#platform/tools.ts';
import { audited } from './audited.ts';
import { authenticateOperator } from './authenticate-operator.ts';

// Stored with the case, the payment and the refund, where erasure can reach it.
const personal = new Set(['resolution', 'evidence', 'account']);

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

export type OperatorCall = {
  readonly request: FastifyRequest;
  readonly operation: Operation;
  readonly operator: Operator;
  readonly channel: 'API' | 'DASHBOARD';
};

/** A call of an operator, who was found already; recorded also when it is refused. */
export const auditedCall = <Answer>(
  tools: Uses<'database' | 'ids' | 'log'>,
  { request, operation, operator, channel }: OperatorCall,
  check: () => void,
  run: (operator: Operator) => Promise<Answer>,
): Promise<Answer> => {
  const refusal = caught(check);
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const { merchantId = '', environment, ...rest } = params;
  const record = {
    channel,
    actor: operator.name,
    operatorSecretId: operator.operatorSecretId,
    personId: operator.personId,
    address: request.ip,
    action: operation.id,
    merchantId: isUuid(merchantId) ? merchantId : null,
    environment: environmentOf(environment),
    // What was refused may hold a card number.
    detail: refusal ? {} : { ...rest, ...withoutPersonal(request.body) },
  };
  return audited(tools, record, async () => {
    if (refusal) throw refusal.error;
    return run(operator);
  });
};

const caught = (check: () => void): { readonly error: unknown } | null => {
  try {
    check();
    return null;
  } catch (error) {
    return { error };
  }
};

const environmentOf = (word: string | undefined): Environment | null =>
  environments.find((known) => known.toLowerCase() === word) ?? null;

const withoutPersonal = (body: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(body ?? {})
      .filter(([name]) => !personal.has(name))
      .map(([name, value]) => [name, shortened(value)] as const),
  );

/** A picture is not kept twice, and never goes away from these records. */
const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > limits.auditTextLength
    ? `${value.slice(0, 60)}…`
    : value;
