import { createHash } from 'node:crypto';
import type { EventStore } from '../books/event-store.ts';
import { commitWork } from '../desk/commit-work.ts';
import { openDesk } from '../desk/desk.ts';
import type { Operation, Reply } from '../operations/call.ts';
import type { CardTools, KeptAnswer } from '../ports.ts';
import { ApiError } from '../rules/api-error.ts';
import { expand } from './expand.ts';
import type { Params } from './form.ts';
import { words } from './read-params.ts';

export type Asked = {
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

export type Office = {
  readonly tools: CardTools;
  readonly events: EventStore;
  readonly keysAtWork: Set<string>;
};

const mostTries = 40;

// `instead` is what a fault has answered in place of the work's own reply.
export const serveCall = async (office: Office, asked: Asked, instead?: Reply): Promise<Answer> => {
  const key = asked.method === 'POST' ? asked.idempotencyKey : undefined;
  if (key === undefined) return work(office, asked, instead);
  if (office.keysAtWork.has(key)) throw keyInUse(key);
  office.keysAtWork.add(key);
  try {
    return await work(office, asked, instead);
  } finally {
    office.keysAtWork.delete(key);
  }
};

const work = async (office: Office, asked: Asked, instead: Reply | undefined): Promise<Answer> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const answer = await workOnce(office, asked, instead);
    if (answer) return answer;
  }
  throw new ApiError(429, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now because another request is using it.',
  });
};

const workOnce = async (
  office: Office,
  asked: Asked,
  instead?: Reply,
): Promise<Answer | undefined> => {
  const { tools, events } = office;
  const desk = openDesk(tools);
  const call = { tools, events, desk, id: asked.id, params: asked.params, now: tools.clock.now() };
  try {
    const own = await asked.operation(call);
    const reply = instead ? { ...own, ...instead } : own;
    const { saved = [], happenings = [], status = 200 } = reply;
    const paths = words(asked.params, 'expand');
    const body = paths.length === 0 ? reply.body : await expand(reply.body, paths, desk.show);
    const answer = { status, body: JSON.stringify(body), isReplayed: false };
    if (asked.method === 'GET') return answer;
    const request = { id: asked.requestId, idempotencyKey: asked.idempotencyKey };
    const kept = keep(asked, answer);
    const work = { saved, happenings, answer: kept, request };
    const committed = await commitWork(tools, desk.show, work);
    if (committed === 'key-taken') return replay(office, asked);
    return committed === 'done' ? answer : undefined;
  } catch (error) {
    // What this key did before explains why the same work is refused now.
    const replayed = error instanceof ApiError ? await replay(office, asked) : undefined;
    if (replayed) return replayed;
    throw error;
  }
};

const keep = (asked: Asked, answer: Answer) => {
  if (asked.idempotencyKey === undefined || asked.method !== 'POST') return undefined;
  const { status, body } = answer;
  return { key: asked.idempotencyKey, parametersHash: hashOf(asked), status, body };
};

const replay = async ({ tools }: Office, asked: Asked): Promise<Answer | undefined> => {
  if (asked.idempotencyKey === undefined || asked.method !== 'POST') return undefined;
  const kept: KeptAnswer | undefined = await tools.store.answerFor(asked.idempotencyKey);
  if (!kept) return undefined;
  if (kept.parametersHash === hashOf(asked)) {
    return { status: kept.status, body: kept.body, isReplayed: true };
  }
  throw new ApiError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${asked.idempotencyKey}'.`,
  });
};

// The key is claimed by an answer alone, of work that has not been done.
export const keepAnswer = async (office: Office, asked: Asked, answer: Answer): Promise<Answer> => {
  const kept = keep(asked, answer);
  if (!kept) return answer;
  const { store, clock } = office.tools;
  const commit = { saved: [], events: [], answer: kept, at: clock.now() };
  if ((await store.commit(commit)) === 'key-taken') return (await replay(office, asked)) ?? answer;
  return answer;
};

const hashOf = ({ method, path, params }: Asked): string =>
  createHash('sha256')
    .update(JSON.stringify([method, path, params]))
    .digest('base64url');

const keyInUse = (key: string): ApiError =>
  new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this key '${key}'.`,
  });
