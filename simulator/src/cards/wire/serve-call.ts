import { createHash } from 'node:crypto';
import type { EventStore } from '../event-store.ts';
import type { Operation, Reply } from '../operations/call.ts';
import type { CardTools } from '../ports.ts';
import { ApiError } from '../rules/api-error.ts';
import { commitChanges } from '../transaction/commit-changes.ts';
import { openTransaction } from '../transaction/transaction.ts';
import { expand } from './expand.ts';
import { type Params, textsParam } from './parameters.ts';

export type ApiRequest = {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly params: Params;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
};

export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly isReplayed: boolean;
};

export type ApiContext = {
  readonly tools: CardTools;
  readonly events: EventStore;
  readonly keysInUse: Set<string>;
};

const maxTries = 40;

// `instead` is the reply of an injected fault: the work is done, but its own reply is not sent.
export const serveCall = async (
  context: ApiContext,
  request: ApiRequest,
  instead?: Reply,
): Promise<Answer> => {
  const key = request.method === 'POST' ? request.idempotencyKey : undefined;
  if (key === undefined) return serve(context, request, instead);
  if (context.keysInUse.has(key)) throw keyInUse(key);
  context.keysInUse.add(key);
  try {
    return await serve(context, request, instead);
  } finally {
    context.keysInUse.delete(key);
  }
};

const serve = async (
  context: ApiContext,
  request: ApiRequest,
  instead: Reply | undefined,
): Promise<Answer> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const answer = await tryOnce(context, request, instead);
    if (answer) return answer;
  }
  throw new ApiError(429, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now because another request is using it.',
  });
};

const tryOnce = async (
  context: ApiContext,
  request: ApiRequest,
  instead?: Reply,
): Promise<Answer | undefined> => {
  const { tools, events } = context;
  const transaction = openTransaction(tools);
  const call = {
    tools,
    events,
    transaction,
    id: request.id,
    params: request.params,
    now: tools.clock.now(),
  };
  try {
    const own = await request.operation(call);
    const reply = instead ? { ...own, ...instead } : own;
    const { saved = [], eventDrafts = [], status = 200 } = reply;
    const paths = textsParam(request.params, 'expand');
    const body =
      paths.length === 0 ? reply.body : await expand(reply.body, paths, transaction.render);
    const answer = { status, body: JSON.stringify(body), isReplayed: false };
    if (request.method === 'GET') return answer;
    const stored = storedAnswerOf(request, answer);
    const cause = { id: request.requestId, idempotencyKey: request.idempotencyKey };
    const changes = { saved, eventDrafts, answer: stored, request: cause };
    const committed = await commitChanges(tools, transaction.render, changes);
    if (committed === 'key-taken') return replay(context, request);
    return committed === 'done' ? answer : undefined;
  } catch (error) {
    // The key may have been used for this already: then its stored answer is sent.
    const replayed = error instanceof ApiError ? await replay(context, request) : undefined;
    if (replayed) return replayed;
    throw error;
  }
};

const storedAnswerOf = (request: ApiRequest, answer: Answer) => {
  if (request.idempotencyKey === undefined || request.method !== 'POST') return undefined;
  const { status, body } = answer;
  return { key: request.idempotencyKey, parametersHash: hashOf(request), status, body };
};

const replay = async ({ tools }: ApiContext, request: ApiRequest): Promise<Answer | undefined> => {
  if (request.idempotencyKey === undefined || request.method !== 'POST') return undefined;
  const stored = await tools.store.answerFor(request.idempotencyKey);
  if (!stored) return undefined;
  if (stored.parametersHash === hashOf(request)) {
    return { status: stored.status, body: stored.body, isReplayed: true };
  }
  throw new ApiError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${request.idempotencyKey}'.`,
  });
};

// Claims the key for an answer without doing the work.
export const storeAnswer = async (
  context: ApiContext,
  request: ApiRequest,
  answer: Answer,
): Promise<Answer> => {
  const stored = storedAnswerOf(request, answer);
  if (!stored) return answer;
  const { store, clock } = context.tools;
  const commit = { saved: [], events: [], answer: stored, at: clock.now() };
  if ((await store.commit(commit)) === 'key-taken')
    return (await replay(context, request)) ?? answer;
  return answer;
};

const hashOf = ({ method, path, params }: ApiRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([method, path, params]))
    .digest('base64url');

const keyInUse = (key: string): ApiError =>
  new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this key '${key}'.`,
  });
