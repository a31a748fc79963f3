import type { Role } from '@florin/contract/dashboard/index.ts';
import type { Uses } from '#platform/tools.ts';
import { hashPassword } from './hash-password.ts';
import { insertMembership } from './store/memberships.ts';
import { insertPassword, insertPerson } from './store/people.ts';

export type NewPerson = {
  /** Left out: a new id. */
  readonly personId?: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly isOperator?: boolean;
  readonly emailVerified?: boolean;
};

/** Adds a person with a password. Null: the address is taken. */
export const addPerson = async (
  { database, ids }: Uses<'database' | 'ids'>,
  { personId = ids.uuid(), name, email, password, ...given }: NewPerson,
): Promise<string | null> => {
  const { isOperator = false, emailVerified = true } = given;
  const passwordHash = await hashPassword(password);
  const row = { personId, name, email: email.toLowerCase(), emailVerified, isOperator };
  const [added] = await database.system(insertPerson, row);
  if (!added) return null;
  await database.system(insertPassword, { credentialId: ids.uuid(), personId, passwordHash });
  return personId;
};

export type NewMembership = {
  readonly merchantId: string;
  readonly personId: string;
  readonly role: Role;
  readonly inProduction: boolean;
};

/** A repeat changes nothing. */
export const addMembership = async (
  { database }: Uses<'database'>,
  membership: NewMembership,
): Promise<void> => {
  await database.tenant(membership.merchantId, insertMembership, membership);
};
