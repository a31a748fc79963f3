import { failures, type Operation } from '@florin/contract';
import { requestNewPassword, requirementOf } from '@florin/contract/dashboard/index.ts';
import type { FastifyRequest } from 'fastify';
import { isOfDashboard } from '#platform/http/dashboard-address.ts';
import { addressPrefix } from '#platform/http/log-requests.ts';
import type { Caller, NoteActor, Person } from '#platform/http/route.ts';
import type { RouteGuards } from '#platform/http/serve-route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Act,
  type AuditTools,
  audited,
  beginAct,
  caught,
  detailOf,
  type EndAct,
  idsOf,
  outcomeOf,
  recordRefusal,
} from './audited.ts';

/** Calls for a merchant: what a member changes, and what a program changes of access and settings. */
export const auditCallers =
  (tools: AuditTools): RouteGuards['auditCaller'] =>
  async (request, operation, caller, check, run) => {
    if (!isRecorded(operation, caller)) {
      check();
      return run();
    }
    const { tenant, secretId, by } = caller;
    const act: Act = {
      ...callAct(request, operation),
      ...(by.kind === 'person'
        ? { channel: 'DASHBOARD', actorKind: 'MEMBER' }
        : { channel: 'API', actorKind: 'SECRET' }),
      actorId: secretId,
      ...tenant,
    };
    return auditedCheck(tools, act, check, run);
  };

/** What a person changes of their own sign-in. */
export const auditPerson = async <Answer>(
  tools: AuditTools,
  request: FastifyRequest,
  { operation, person }: { readonly operation: Operation; readonly person: Person },
  check: () => void,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  if (!changes(operation)) {
    check();
    return run();
  }
  const act = { ...callAct(request, operation), actorId: person.personId };
  return auditedCheck(tools, act, check, run);
};

/**
 * What a visitor does: recorded from the moment on at which it is known who it is, and before anything of
 * that person is changed. Who stays unknown is not recorded.
 */
export const auditVisitor = async <Answer>(
  tools: AuditTools & Uses<'clock'>,
  request: FastifyRequest,
  operation: Operation,
  run: (noteActor: NoteActor) => Promise<Answer>,
): Promise<Answer> => {
  const answersAtMs = performance.now() + sameAnswerMs;
  const wait = () => tools.clock.sleep(Math.max(0, answersAtMs - performance.now()));
  const begun: { act?: Promise<EndAct> } = {};
  const noteActor: NoteActor = async (personId) => {
    begun.act ??= beginAct(tools, { ...callAct(request, operation), actorId: personId });
    await begun.act;
  };
  try {
    const answer = await run(changes(operation) ? noteActor : async () => undefined);
    const end = await begun.act;
    await end?.('DONE', idsOf(readAnswer(answer)));
    if (answersAlike.includes(operation.id)) await wait();
    return answer;
  } catch (error) {
    const end = await begun.act;
    await end?.(outcomeOf(error));
    if (outcomeOf(error) === failures.wrongSignIn.name) await wait();
    throw error;
  }
};

// Of an unknown address nothing is recorded or mailed: the time of an answer shall not say so.
const sameAnswerMs = 250;
const answersAlike: readonly string[] = [requestNewPassword.id];

/**
 * A person called for a business of which they are no member, or whose production they do not see. Operators
 * see it; the business does not, and neither do those of the person.
 */
export const recordStranger = (
  tools: AuditTools,
  request: FastifyRequest,
  operation: Operation,
  stranger: Pick<Act, 'actorId' | 'merchantId' | 'environment'>,
  error: unknown,
): Promise<void> =>
  // What was refused may hold anything.
  recordRefusal(tools, { ...callAct(request, operation), ...stranger, detail: {} }, error);

const auditedCheck = async <Answer>(
  tools: AuditTools,
  act: Act,
  check: () => void,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const refusal = caught(check);
  if (!refusal) return audited(tools, act, run, (answer) => idsOf(readAnswer(answer)));
  await recordRefusal(tools, act, refusal.error);
  throw refusal.error;
};

const callAct = (request: FastifyRequest, operation: Operation): Omit<Act, 'actorId'> => ({
  ...{ channel: 'DASHBOARD', actorKind: 'PERSON', actor: null },
  ...{ address: addressPrefix(request.ip), action: operation.id },
  ...{ merchantId: null, environment: null },
  detail: detailOf(operation, { params: request.params, body: request.body }),
});

/** A reply is JSON text, or the stored reply of a key. */
export const readAnswer = (answer: unknown): unknown =>
  typeof answer === 'string' ? JSON.parse(answer) : null;

const changes = ({ access, method, idempotent, showsSecret }: Operation): boolean =>
  method !== 'GET' && (isOfDashboard(access) || method !== 'POST' || isOf(idempotent, showsSecret));

const isOf = (...marks: readonly (boolean | undefined)[]): boolean =>
  marks.some((mark) => mark === true);

const isRecorded = (operation: Operation, { by }: Caller): boolean =>
  changes(operation) && (by.kind === 'person' || isOfAccess(operation));

// A program makes payments all day; what it changes of secrets, endpoints and settings is recorded.
const recordedOfPrograms: readonly string[] = [
  ...['secrets.write', 'webhooks.write', 'payoutDetails.write', 'settings.write', 'team.write'],
];

const isOfAccess = ({ id }: Operation): boolean =>
  id !== 'replayWebhooks' && recordedOfPrograms.includes(requirementOf(id)?.permission ?? '');
