import { failures, limits } from '@florin/contract';
import { isPermitted, type Requirement } from '@florin/contract/dashboard/index.ts';
import type { FastifyRequest } from 'fastify';
import { environmentNamed } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Caller, Member, Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { findPerson } from './sessions.ts';
import { findMembership } from './store/people.ts';

type SiteRequest = Pick<FastifyRequest, 'method' | 'headers' | 'protocol' | 'host'>;

/**
 * A request that changes something comes from a page of ours (PEOPLE-3): its origin is ours, and it has a
 * header that no form sends and no other site may send.
 */
export const requireSameSite = (request: SiteRequest, publicUrl: string | null): void => {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  requireOwnPage(request, publicUrl);
  if (headers['florin-dashboard'] !== '1') throw new Failure(failures.crossSite);
};

/** A form of a page of ours, which changes nothing. */
const requireOwnPage = (request: SiteRequest, publicUrl: string | null): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameSite = site === undefined || site === 'same-origin';
  if (origin !== ownOrigin(request, publicUrl) || !isSameSite)
    throw new Failure(failures.crossSite);
};

/** As configured; else as the browser addresses us, for a developer who takes another local name. */
const ownOrigin = (
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string => (publicUrl ? new URL(publicUrl).origin : `${protocol}://${host}`);

/** A merchant and an environment as an address names them. */
export type NamedTenant = { readonly merchantId: string; readonly environment: string };

/**
 * The caller that a person is for a merchant. Where they have no membership the answer is that of a merchant
 * which does not exist.
 */
export const admitMember = async (
  { database }: Uses<'database'>,
  { personId, name }: Person,
  { merchantId, environment }: NamedTenant,
): Promise<MemberCaller> => {
  const named = environmentNamed(environment);
  const [membership] =
    named && isUuid(merchantId)
      ? await database.tenant(merchantId, findMembership, { merchantId, personId })
      : [];
  if (!membership || !named || (named === 'PRODUCTION' && !membership.in_production))
    throw new Failure(failures.notFound, { message: 'No business has this address.' });
  return {
    tenant: { merchantId, environment: named },
    secretId: personId,
    redirectUrl: null,
    isReadOnly: false,
    seesProduction: membership.in_production || !membership.business_in_production,
    by: { kind: 'person', personId, name, role: membership.role },
  };
};

export type MemberCaller = Caller & {
  readonly by: Member;
  /** Or the business has none: nobody of it has been let into production. */
  readonly seesProduction: boolean;
};

/** What an operation requires of a member: a proven address, the permission of the role, a fresh sign-in. */
export const requirePermitted = (
  tools: Uses<'clock'>,
  person: Person,
  { tenant, by, seesProduction }: MemberCaller,
  { permission, stepUp, changesProduction }: Requirement,
): void => {
  if (tenant.environment === 'PRODUCTION' || changesProduction) requireProvenAddress(person);
  if (!isPermitted(by.role, permission)) throw new Failure(failures.notPermitted);
  if (changesProduction && !seesProduction)
    throw new Failure(failures.notPermitted, {
      message: 'This changes production too, in which you do not work.',
    });
  if (stepUp) requireFreshSignIn(tools, person);
};

/** Somebody else may have signed up with the address: they try the sandbox, and no more (PEOPLE-11). */
export const requireProvenAddress = ({ emailVerified }: Pick<Person, 'emailVerified'>): void => {
  if (!emailVerified) throw new Failure(failures.addressNotProven);
};

/** Until then acts that need it run without another sign-in. */
export const steppedUpUntil = ({ authenticatedAt }: Pick<Person, 'authenticatedAt'>): Date =>
  new Date(authenticatedAt.getTime() + limits.stepUpMs);

/** For what moves money or shows a secret: an open screen that its person has left does not let it. */
export const requireFreshSignIn = ({ clock }: Uses<'clock'>, person: Person): void => {
  if (steppedUpUntil(person) <= clock.now()) throw new Failure(failures.signInAgain);
};

/** The member who sends a form of the dashboard that only shows something (PEOPLE-4, PEOPLE-5). */
export const admitForm = async (
  tools: Uses<'database' | 'clock' | 'config'>,
  request: FastifyRequest,
  named: NamedTenant,
  requirement: Requirement,
): Promise<Caller> => {
  requireOwnPage(request, tools.config.publicUrl);
  const person = await findPerson(tools, request.headers.cookie);
  if (!person) throw new Failure(failures.signInRequired);
  const caller = await admitMember(tools, person, named);
  requirePermitted(tools, person, caller, requirement);
  return caller;
};
