import type { Access, DashboardAccess, Operation } from '@florin/contract';
import { requirementOf } from '@florin/contract/dashboard/index.ts';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Caller, NoteActor, Operator, Person } from './route.ts';

/** Where people call an operation in the dashboard; null: they cannot. */
export const dashboardAddress = ({ id, access, path }: Operation): string | null => {
  if (access === 'person' || access === 'visitor') return path;
  if (access === 'operator') return `${operatorPrefix}${path}`;
  if (access === 'open') return null;
  return requirementOf(id) ? `${memberPrefix}${path}` : null;
};

const dashboardAccesses: readonly Access[] = [
  'member',
  'person',
  'visitor',
] satisfies DashboardAccess[];

/** Served to people alone. */
export const isOfDashboard = (access: Access): access is DashboardAccess =>
  dashboardAccesses.includes(access);

// Not the names of any operation's own parameters.
const memberPrefix = '/dashboard/api/merchants/:inMerchant/:inEnvironment';
const operatorPrefix = '/dashboard/api/operator';

/** Whose dashboard an address is of, taken from the parameters, which an operation then has alone. */
export const takeTenantParams = (request: FastifyRequest) => {
  const { inMerchant = '', inEnvironment = '', ...params } = request.params as Params;
  request.params = params;
  return { merchantId: inMerchant, environment: inEnvironment };
};

type Params = Readonly<Record<string, string>>;

/** Who calls beside a merchant. */
export type Who = {
  readonly operator: Operator | null;
  readonly person: Person | null;
  /** Left out: who calls is known already. */
  readonly noteActor?: NoteActor;
};

export type RunAdmitted<Answer> = (caller: Caller | null, who: Who) => Promise<Answer>;

/** Finds out who calls, and runs the operation if they may call it, in a form that it takes. */
export type Admit = <Answer>(
  request: FastifyRequest,
  operation: Operation,
  check: (caller: Caller | null) => void,
  run: RunAdmitted<Answer>,
) => Promise<Answer>;

export type PeopleGuard = {
  readonly admit: Admit;
  /** Before the body of an operation that takes a large one is read. */
  readonly admitLargeBody: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

export type RouteGuard = Pick<PeopleGuard, 'admit'> & Partial<PeopleGuard>;

/** Who is not known is not given the memory of a large body. */
export const largerBody = (
  { id, bodyBytes }: Operation,
  onRequest: RouteGuard['admitLargeBody'],
): Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest'> => {
  if (bodyBytes === undefined) return {};
  if (!onRequest) throw new Error(`${id} takes a large body: only people may send one`);
  return { bodyLimit: bodyBytes, onRequest };
};
