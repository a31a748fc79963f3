import { limits, type Operation } from '@florin/contract';
import type { FastifyRequest } from 'fastify';
import { type Environment, environments } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import {
  type Act,
  audited,
  caught,
  idsOf,
  readAnswer,
  recordRefusal,
} from '#modules/audit/index.ts';
import type { Operator } from '#platform/http/route.ts';
import type { RouteGuards } from '#platform/http/serve-route.ts';
import type { Uses } from '#platform/tools.ts';
import { authenticateOperator } from './authenticate-operator.ts';

// Stored with the case, the payment, the refund and the suspension, where erasure can reach it.
const personal = new Set(['resolution', 'evidence', 'account', 'reason']);

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

const actOf = ({ request, operation, operator, channel }: OperatorCall): Act => {
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const { merchantId = '', environment, ...rest } = params;
  return {
    ...{ channel, actorKind: 'OPERATOR', address: request.ip, action: operation.id },
    actorId: operator.personId ?? operator.operatorSecretId,
    actor: operator.personId ? null : operator.name,
    merchantId: isUuid(merchantId) ? merchantId : null,
    environment: environmentOf(environment),
    detail: { ...rest, ...withoutPersonal(request.body) },
  };
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
