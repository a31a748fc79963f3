import { failures, limits } from '@florin/contract';
import { isPermitted, type Requirement } from '@florin/contract/dashboard/index.ts';
import type { FastifyRequest } from 'fastify';
import { environmentNamed } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { peopleUrl } from '#platform/config.ts';
import type { Caller, Member, Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { findPerson, noteUse } from './sessions.ts';
import { findMembership } from './store/people.ts';

type SiteRequest = Pick<FastifyRequest, 'method' | 'headers' | 'protocol' | 'host'>;

/**
 * A request that changes something comes from a page of ours (PEOPLE-3): its origin is ours, and it has a
 * header that no form sends and no other site may send.
 */
export const requireSameSite = (request: SiteRequest, ownUrl: string | null): void => {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  requireOwnPage(request, ownUrl);
  if (headers['florin-dashboard'] !== '1') throw new Failure(failures.crossSite);
};

/** A form of a page of ours, which changes nothing. */
const requireOwnPage = (request: SiteRequest, ownUrl: string | null): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameSite = site === undefined || site === 'same-origin';
  if (origin !== ownOrigin(request, ownUrl) || !isSameSite) throw new Failure(failures.crossSite);
};

/** As configured; else as the browser addresses us, for a developer who takes another local name. */
const ownOrigin = (
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  ownUrl: string | null,
): string => (ownUrl ? new URL(ownUrl).origin : `${protocol}://${host}`);

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
  tools: Uses<'clock' | 'config'>,
  person: Person,
  { tenant, by, seesProduction }: MemberCaller,
  { permission, stepUp, changesProduction }: Requirement,
): void => {
  const isOfProduction = tenant.environment === 'PRODUCTION' || Boolean(changesProduction);
  if (isOfProduction) requireProvenAddress(person);
  requireSecondFactor(tools, person, isOfProduction);
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

/** SECOND_FACTOR says where one is needed (PEOPLE-1). */
export const requireSecondFactor = (
  { config }: Uses<'config'>,
  { hasSecondFactor }: Pick<Person, 'hasSecondFactor'>,
  isOfProduction: boolean,
): void => {
  if (!hasSecondFactor && asksForSecondFactor(config, isOfProduction))
    throw new Failure(failures.secondFactorRequired);
};

export const asksForSecondFactor = (
  { secondFactor }: Uses<'config'>['config'],
  isOfProduction: boolean,
): boolean => secondFactor === 'always' || (secondFactor === 'production' && isOfProduction);

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
  requireOwnPage(request, peopleUrl(tools.config));
  const person = await findPerson(tools, request.headers.cookie);
  if (!person) throw new Failure(failures.signInRequired);
  await noteUse(tools, person, request.headers);
  const caller = await admitMember(tools, person, named);
  requirePermitted(tools, person, caller, requirement);
  return caller;
};
