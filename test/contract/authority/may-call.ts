import { isPermitted, type Role, requirementOf, roles } from '../../../contract/dashboard/index.ts';
import type { Operation } from '../../../contract/operation.ts';
import {
  dashboardAddress,
  isOfDashboard,
} from '../../../service/src/platform/http/dashboard-address.ts';

/** Who calls: a member in a role, a program with a secret, an operator, or nobody whom the service knows. */
export type Actor = Role | 'secret' | 'readOnlySecret' | 'operator' | 'anybody';

/** Whether the contract lets the actor call the operation at all. */
export const mayCall = (actor: Actor, { id, access, method }: Operation): boolean => {
  if (isRole(actor)) {
    const requirement = requirementOf(id);
    return requirement ? isPermitted(actor, requirement.permission) : access === 'person';
  }
  if (actor === 'operator') return access === 'operator';
  if (actor === 'anybody')
    return access === 'open' || access === 'optionalSecret' || access === 'visitor';
  if (actor === 'readOnlySecret' && method !== 'GET') return false;
  return ['secret', 'sandboxSecret', 'optionalSecret', 'open'].includes(access);
};

export const isRole = (actor: Actor): actor is Role => roles.some((role) => role === actor);

/** Whether the actor has anything to call it with: that all others are refused, access tests show. */
export const isFor = (actor: Actor, operation: Operation): boolean => {
  const { access } = operation;
  if (isRole(actor)) return access !== 'visitor' && dashboardAddress(operation) !== null;
  return isOfDashboard(access) ? actor === 'anybody' : true;
};
