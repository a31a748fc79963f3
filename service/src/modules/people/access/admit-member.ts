import { failures, limits } from '@florin/contract';
import { isPermitted, type Requirement } from '@florin/contract/dashboard/index.ts';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Caller, Member, Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { findMembership } from './store/memberships.ts';

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
  const named = environmentNamed[environment];
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

export const environmentNamed: Readonly<Record<string, Environment | undefined>> = {
  sandbox: 'SANDBOX',
  production: 'PRODUCTION',
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
