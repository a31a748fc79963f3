import { failures, limits, type Operation } from '@florin/contract';
import { operatorStepsUp, requirementOf } from '@florin/contract/dashboard/index.ts';
import type { FastifyRequest } from 'fastify';
import { environmentNamed } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { auditCallers, auditPerson, auditVisitor, recordStranger } from '#modules/audit/index.ts';
import { auditedCall } from '#modules/operators/index.ts';
import { peopleUrl } from '#platform/config.ts';
import { type PeopleGuard, takeTenantParams, type Who } from '#platform/http/dashboard-address.ts';
import { notePersonOf } from '#platform/http/log-refusals.ts';
import { addressKey, openBuckets } from '#platform/http/rate/open-buckets.ts';
import type { Operator, Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  admitMember,
  type MemberCaller,
  type NamedTenant,
  requireFreshSignIn,
  requirePermitted,
  requireProvenAddress,
  requireSameSite,
  requireSecondFactor,
} from './admit-member.ts';
import { findPerson, noteUse } from './sessions.ts';

const maxPeople = 10_000;

/** Whether one more call of a person for a business that is not theirs is recorded: some in a while. */
const limitStrangers = ({ clock }: Uses<'clock'>) => {
  const windows = new Map<string, { calls: number; readonly endsAtMs: number }>();
  return (personId: string): boolean => {
    const nowMs = clock.now().getTime();
    const known = windows.get(personId);
    const isOver = !known || known.endsAtMs <= nowMs;
    const window = isOver ? { calls: 0, endsAtMs: nowMs + limits.strangerWindowMs } : known;
    window.calls += 1;
    setBounded(windows, personId, window, maxPeople);
    return window.calls <= limits.strangerRecordsMax;
  };
};

type GuardTools = Uses<'database' | 'ids' | 'clock' | 'log' | 'config'>;

/** Session, membership, role and step-up of every call under `/dashboard/api` (PEOPLE-4 to 6). */
export const guardPeople = (
  tools: GuardTools,
  { limitsRate }: { readonly limitsRate: boolean },
): PeopleGuard => {
  const limit = limitPeople(tools, limitsRate);
  const record = auditCallers(tools);
  const isRecorded = limitStrangers(tools);
  const admit: PeopleGuard['admit'] = async (request, operation, check, run) => {
    requireSameSite(request, peopleUrl(tools.config));
    if (operation.access === 'visitor') {
      limit.visitor(request);
      check(null);
      return auditVisitor(tools, request, operation, (noteActor) =>
        run(null, { ...noOne, noteActor }),
      );
    }
    const person = await requirePerson(tools, request);
    limit.person(person);
    await noteUse(tools, person, request.headers);
    if (operation.access === 'person')
      return auditPerson(
        tools,
        request,
        { operation, person },
        () => check(null),
        () => run(null, { ...noOne, person }),
      );
    if (operation.access === 'operator') {
      const operator = requireOperator(tools, operation, person);
      return auditedCall(
        tools,
        { request, operation, operator, channel: 'DASHBOARD' },
        () => check(null),
        () => run(null, { operator, person }),
      );
    }
    const named = takeTenantParams(request);
    const caller = await admitMember(tools, person, named).catch(async (error: unknown) => {
      if (error instanceof Failure && isRecorded(person.personId))
        await recordStranger(tools, request, operation, strangerOf(person, named), error);
      throw error;
    });
    return record(
      request,
      operation,
      caller,
      () => {
        requireMember(tools, operation, person, caller);
        check(caller);
      },
      () => run(caller, { ...noOne, person }),
    );
  };
  return { admit, admitLargeBody: admitLargeBodies(tools) };
};

/** One of a session at once, and few of all: each takes its size several times over in memory. */
const admitLargeBodies = (
  tools: Uses<'database' | 'clock' | 'config'>,
): PeopleGuard['admitLargeBody'] => {
  const sending = new Set<string>();
  return async (request, reply) => {
    requireSameSite(request, peopleUrl(tools.config));
    const { sessionId } = await requirePerson(tools, request);
    if (sending.has(sessionId) || sending.size >= limits.largeBodiesAtOnce)
      throw new Failure(failures.rateLimited, { retryAfterSeconds: 2 });
    if (request.socket.destroyed) return;
    sending.add(sessionId);
    reply.raw.once('close', () => sending.delete(sessionId));
  };
};

const strangerOf = ({ personId }: Person, { merchantId, environment }: NamedTenant) => ({
  actorId: personId,
  merchantId: isUuid(merchantId) ? merchantId : null,
  environment: environmentNamed(environment),
});

const noOne: Who = { operator: null, person: null };

/** 401 for who is not signed in, or no longer. */
const requirePerson = async (
  tools: Uses<'database' | 'clock' | 'config'>,
  request: FastifyRequest,
): Promise<Person> => {
  const person = await findPerson(tools, request.headers.cookie);
  if (!person) throw new Failure(failures.signInRequired);
  notePersonOf(request, person.personId);
  return person;
};

const requireOperator = (
  tools: Uses<'clock' | 'config'>,
  { id }: Operation,
  person: Person,
): Operator => {
  if (!person.isOperator)
    throw new Failure(failures.notPermitted, {
      message: 'Only an operator of this installation may do this.',
    });
  requireProvenAddress(person);
  requireSecondFactor(tools, person, true);
  if (operatorStepsUp(id)) requireFreshSignIn(tools, person);
  return { operatorSecretId: null, personId: person.personId, name: person.name };
};

/** Whether a member may call this operation now. */
const requireMember = (
  tools: Uses<'clock' | 'config'>,
  { id, access }: Operation,
  person: Person,
  caller: MemberCaller,
): void => {
  const requirement = requirementOf(id);
  if (!requirement) throw new Error(`${id} is served to members, who may not call it`);
  requirePermitted(tools, person, caller, requirement);
  if (access === 'sandboxSecret' && caller.tenant.environment !== 'SANDBOX')
    throw new Failure(failures.sandboxOnly, { message: 'This works in the sandbox only.' });
};

const limitPeople = ({ clock }: Uses<'clock'>, isOn: boolean) => {
  const ofPerson = openBuckets(clock, limits.personRequestsPerSecond);
  const ofVisitor = openBuckets(clock, limits.visitorRequestsPerSecond);
  const refuse = (retryAfterSeconds: number | null): void => {
    if (isOn && retryAfterSeconds !== null)
      throw new Failure(failures.rateLimited, { retryAfterSeconds });
  };
  return {
    person: ({ sessionId }: Person) => refuse(ofPerson(sessionId)),
    visitor: ({ ip }: FastifyRequest) => refuse(ofVisitor(addressKey(ip))),
  };
};
