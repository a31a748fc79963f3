import { createHash } from 'node:crypto';
import { failures, limits, type Operation } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { readTraceparent } from '#kernel/read-traceparent.ts';
import { holdsCardNumber } from '../card-numbers/mask-card-numbers.ts';
import { MerchantElsewhere } from '../database/database-unavailable.ts';
import type { Log } from '../log.ts';
import { currentTrace } from '../tracing.ts';
import {
  checkCardNumberMember,
  requireNoCardNumber,
  takeTestCardNumber,
  withoutCardNumber,
} from './card-number.ts';
import { compileValidator, type HttpPart, takeDeclared } from './compile-validator.ts';
import {
  type Admit,
  dashboardAddress,
  isOfDashboard,
  largerBody,
  type PeopleGuard,
  type RouteGuard,
  type RunAdmitted,
  type Who,
} from './dashboard-address.ts';
import { badField } from './error-reply.ts';
import { warnOfInput } from './input/warn-of-input.ts';
import { addressPrefix, type NoteCaller } from './log-requests.ts';
import {
  type Call,
  type Caller,
  type IdempotencyKey,
  isReplay,
  type Operator,
  type Replay,
  type Route,
  type SaveReply,
} from './route.ts';

export type RouteGuards = {
  /** The caller of a valid secret; throws the uniform 401 otherwise. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  readonly limitRate: (
    caller: Caller | null,
    address: string,
    operationId: string,
  ) => Promise<void>;
  /** Counts a secret that was refused; throws where an address sent too many. */
  readonly limitRefused: (address: string) => void;
  /** Whose request it is, as soon as that is known. */
  readonly noteCaller?: NoteCaller;
  readonly saveReply: SaveReply;
  readonly log: Pick<Log, 'warn'>;
  /** Records what the caller changes of a merchant, also when it is refused; checks and runs it. */
  readonly auditCaller: <Answer>(
    request: FastifyRequest,
    operation: Operation,
    caller: Caller,
    check: () => void,
    run: () => Promise<Answer>,
  ) => Promise<Answer>;
  /** Operations with access `operator`: knows who calls, records the call, then checks and runs it. */
  readonly operators: <Answer>(
    request: FastifyRequest,
    operation: Operation,
    check: () => void,
    run: (operator: Operator) => Promise<Answer>,
  ) => Promise<Answer>;
  /** Everything under `/dashboard/api`: who is signed in and may call. Left out: it is not served. */
  readonly people?: PeopleGuard;
};

/** Puts one operation of the contract on the server: access, validation, idempotency, reply filter. */
export const serveRoute = (app: FastifyInstance, guards: RouteGuards, served: Route): void => {
  const { operation } = served;
  checkCardNumberMember(operation);
  const takeInput = inputOf(operation);
  const serve = (url: string, { admit, admitLargeBody }: RouteGuard): void => {
    app.route({
      method: operation.method,
      url,
      ...largerBody(operation, admitLargeBody),
      handler: async (request, reply) => {
        const filter = reply.compileSerializationSchema(operation.reply as Record<string, unknown>);
        const serialize = (answer: unknown) => filter(answer as Record<string, unknown>);
        let input: Input | null = null;
        const run: RunAdmitted<string | Replay> = (caller, who) => {
          if (!input) throw new Error(`${operation.id} runs with input that was not checked`);
          const call = callOf(request, reply, { operation, input, who });
          return answerOnce(guards, served, call, caller, serialize);
        };
        const check = (caller: Caller | null) => {
          if (caller?.tenant.environment === 'SANDBOX') warn(guards, operation, request, reply);
          input = takeInput(request);
        };
        const answer = await admit(request, operation, check, run);
        reply.header('content-type', 'application/json; charset=utf-8').serializer(String);
        if (!isReplay(answer)) return reply.send(answer);
        reply.header('idempotent-replayed', 'true');
        return reply.code(answer.replayed.statusCode).send(answer.replayed.reply);
      },
    });
  };
  if (!isOfDashboard(operation.access)) serve(operation.path, { admit: admitProgram(guards) });
  const inDashboard = guards.people ? dashboardAddress(operation) : null;
  if (inDashboard && guards.people) serve(inDashboard, guards.people);
};

/** Lets in who calls with a secret, or without one where none is needed. */
const admitProgram =
  (guards: RouteGuards): Admit =>
  async (request, operation, check, run) => {
    if (operation.access === 'operator')
      return guards.operators(
        request,
        operation,
        () => check(null),
        (operator) => run(null, { operator, person: null }),
      );
    const caller = await knownCaller(guards, operation, request);
    if (caller) guards.noteCaller?.(request, caller, operation);
    await guards.limitRate(caller, request.ip, operation.id);
    const who = { operator: null, person: null };
    const checked = () => check(caller);
    if (caller)
      return guards.auditCaller(request, operation, caller, checked, () => run(caller, who));
    checked();
    return run(null, who);
  };

/** Said beside every reply, an error too: what the caller meant may be why it was refused (WIRE-21). */
const warn = (
  { log }: RouteGuards,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const warnings = warnOfInput(operation, request);
  if (warnings.length === 0) return;
  reply.header('florin-warning', warnings.join(' '));
  log.warn({ requestId: request.id, operation: operation.id, warnings }, 'unusual input');
};

/** The reply as text, so that a replay is byte-identical. */
const answerOnce = async (
  guards: RouteGuards,
  served: Route,
  call: Call<Operation>,
  caller: Caller | null,
  serialize: (answer: unknown) => string,
): Promise<string | Replay> => {
  const { idempotencyKey } = call;
  if (caller && idempotencyKey && !served.handlesIdempotency)
    return guards.saveReply(
      caller.tenant,
      served.operation.id,
      idempotencyKey,
      async (decideOnce) => serialize(await served.handle({ ...call, decideOnce }, caller)),
    );
  const answer = await served.handle(call, caller);
  return isReplay(answer) ? answer : serialize(answer);
};

const knownCaller = async (
  guards: RouteGuards,
  operation: Operation,
  request: FastifyRequest,
): Promise<Caller | null> => {
  const { authorization } = request.headers;
  if (operation.access === 'open') return null;
  if (operation.access === 'optionalSecret' && authorization === undefined) return null;
  const caller = await guards.authenticate(authorization).catch((error: unknown) => {
    // Only refusals are counted, so a valid secret from the same address still passes.
    if (isInvalidSecret(error) || isUnknownHere(error)) guards.limitRefused(request.ip);
    if (isInvalidSecret(error)) {
      const address = addressPrefix(request.ip);
      if (authorization !== undefined)
        guards.log.warn({ requestId: request.id, address }, 'an access secret was refused');
    }
    throw error;
  });
  if (operation.access === 'sandboxSecret' && caller.tenant.environment !== 'SANDBOX')
    throw new Failure(failures.sandboxOnly);
  const changes = operation.idempotent || operation.showsSecret;
  if (caller.isReadOnly && operation.method !== 'GET' && changes)
    throw new Failure(failures.notEnabled, { message: 'This access secret may only read.' });
  return caller;
};

const isInvalidSecret = (error: unknown): boolean =>
  error instanceof Failure && error.definition === failures.invalidCredential;

/** Other cells are asked for it: no more often than it would be refused. */
const isUnknownHere = (error: unknown): boolean =>
  error instanceof MerchantElsewhere && error.unknownStatus === failures.invalidCredential.status;

/** What a handler receives of a request: nothing that the contract does not declare. */
type Input = { readonly [Part in HttpPart]: unknown };

const inputOf = (operation: Operation) => {
  const schemas = { params: operation.params, query: operation.query, body: operation.body };
  const checks = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = schemas[part];
    return schema ? [{ part, validate: compileValidator(part, schema) }] : [];
  });
  const params = takeDeclared(schemas.params);
  const query = takeDeclared(schemas.query);
  const body = takeDeclared(schemas.body);
  return (request: FastifyRequest): Input => {
    if (operation.bodyOptional && (request.body === undefined || request.body === null))
      request.body = {};
    requireNoCardNumber(operation, request);
    for (const { part, validate } of checks) refuse(part, validate(partOf(request, part)));
    takeTestCardNumber(operation, request.body);
    return {
      params: params(request.params),
      query: query(request.query),
      body: body(request.body),
    };
  };
};

const partOf = (request: FastifyRequest, part: HttpPart): unknown => {
  if (part === 'body') return request.body === undefined ? null : request.body;
  return part === 'query' ? request.query : request.params;
};

const refuse = (part: HttpPart, errors: readonly FieldError[]): void => {
  const [first] = errors;
  if (!first) return;
  const message =
    first.field === 'body' && part === 'body'
      ? 'Send a JSON object as the body.'
      : `${first.message}.`;
  throw new Failure(failures.badRequest, { message, errors });
};

const callOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  checked: { readonly operation: Operation; readonly input: Input; readonly who: Who },
): Call<Operation> => {
  const { operation, input, who } = checked;
  const { operator, person, noteActor = isKnown } = who;
  // Not spread: what follows a spread costs V8 a look-up each, 3 % of a create.
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    requestId: request.id,
    traceparent: currentTrace() ?? readTraceparent(request.headers.traceparent),
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    origin: request.headers.origin ?? null,
    idempotencyKey: operation.idempotent ? idempotencyKeyOf(operation, request) : null,
    operator,
    person,
    cookies: request.headers.cookie ?? '',
    setCookies: (cookies) => void reply.header('set-cookie', [...cookies]),
    decideOnce: (decide) => decide(),
    noteActor,
  } as Call<Operation>;
};

const isKnown = async (): Promise<void> => undefined;

const visibleAscii = /^[\x21-\x7e]+$/;

const idempotencyKeyOf = (operation: Operation, request: FastifyRequest): IdempotencyKey | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (
    typeof key !== 'string' ||
    key.length > limits.idempotencyKeyLength ||
    !visibleAscii.test(key)
  )
    throw badField(
      'Idempotency-Key',
      'is not valid',
      `Idempotency-Key must be 1 to ${limits.idempotencyKeyLength} visible characters.`,
    );
  const body = JSON.stringify(sorted(withoutCardNumber(operation, request.body), 1));
  const content = `${request.method} ${request.url}\n${body}`;
  return { key: storedKey(key), bodySha256: createHash('sha256').update(content).digest() };
};

/** A key that looks like a card number is none, and is stored so that nobody takes it for one. */
const storedKey = (key: string): string =>
  holdsCardNumber(key) ? `sha256-${createHash('sha256').update(key).digest('hex')}` : key;

/** The same members in another order are the same body. */
const sorted = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > limits.bodyDepth)
    throw badField('body', `may be nested at most ${limits.bodyDepth} levels deep`);
  if (Array.isArray(value)) return value.map((member) => sorted(member, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member, depth + 1)]));
};
