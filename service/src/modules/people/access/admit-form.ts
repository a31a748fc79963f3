import { failures } from '@florin/contract';
import type { Requirement } from '@florin/contract/dashboard/index.ts';
import type { FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { admitMember, type NamedTenant, requirePermitted } from './admit-member.ts';
import { findPerson } from './find-person.ts';
import { requireOwnPage } from './require-same-site.ts';

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
