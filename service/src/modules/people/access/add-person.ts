import { failures, limits, type ReplyOf } from '@florin/contract';
import { type getMe, permissionsOf } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { newMerchantRows } from '#modules/merchants/index.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { NoteActor, Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { asksForSecondFactor, steppedUpUntil } from './admit-member.ts';
import { hashPassword } from './hash-password.ts';
import {
  findPersonByEmail,
  insertMembership,
  insertOwner,
  insertPassword,
  insertPerson,
  listMembershipsOf,
  type Membership,
  readNames,
  updateOperator,
} from './store/people.ts';

type NewPerson = {
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

/** A repeat changes nothing. */
export const addMembership = async (
  { database }: Uses<'database'>,
  membership: Membership,
): Promise<void> => {
  await database.tenant(membership.merchantId, insertMembership, membership);
};

export type SignUpTools = Uses<'database' | 'ids' | 'secrets'> & {
  /** Anybody may sign up; else people come by invite only. */
  readonly openSignUp: boolean;
};

type NewOwner = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly businessName: string;
};

/** Of the simulated bank. In production nothing is paid to it: an owner sets an account there first. */
const sandboxAccount = { sortCode: '180002', accountNumber: '00000190' } as const;

/**
 * A person with a business of their own, both or neither: in the sandbox, until the operator lets it into
 * production (PEOPLE-2).
 */
export const addOwner = async (
  tools: SignUpTools,
  { name, password, businessName, ...given }: NewOwner,
  noteActor: NoteActor,
): Promise<string> => {
  const email = given.email.toLowerCase();
  if ((await tools.database.system(findPersonByEmail, { email })).length > 0) throw isTaken();
  const account = { ...sandboxAccount, name: businessName.slice(0, limits.bankAccountNameLength) };
  const { rows, created } = newMerchantRows(tools, {
    ...{ businessName, ownerEmail: email },
    bankAccounts: { SANDBOX: account, PRODUCTION: account },
  });
  const [personId, credentialId] = [tools.ids.uuid(), tools.ids.uuid()];
  const passwordHash = await hashPassword(password);
  await noteActor(personId);
  const owner = {
    ...rows,
    hasProductionAccount: false,
    personId,
    credentialId,
    name,
    email,
    passwordHash,
  };
  try {
    await tools.database.system(insertOwner, owner);
  } catch (error) {
    throw isUniqueViolation(error, 'person_email_key') ? isTaken() : error;
  }
  return created.merchantId;
};

const isTaken = (): Failure =>
  new Failure(failures.conflict, { message: 'This address has signed up. Sign in instead.' });

/** Who made what a merchant shows, by id; also of a person who has left the team. */
export const findNames = async (
  { database }: Uses<'database'>,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (personIds.length === 0) return new Map();
  const rows = await database.system(readNames, { personIds: [...new Set(personIds)] });
  return new Map(rows.map(({ person_id: id, name }) => [id, name]));
};

/** Whether a person operates the installation. False: no person has the address. */
export const setOperator = async (
  { database }: Uses<'database'>,
  email: string,
  isOperator: boolean,
): Promise<boolean> => {
  const changed = await database.system(updateOperator, { email: email.toLowerCase(), isOperator });
  return changed.length > 0;
};

type Me = ReplyOf<typeof getMe>;

export const showMe = async (
  { database, config }: Uses<'database' | 'config'>,
  person: Person,
): Promise<Me> => {
  const { personId, name, email, emailVerified, twoFactorEnabled, isOperator, sessionId } = person;
  const rows = await database.system(listMembershipsOf, { personId });
  return {
    ...{ personId, name, email, emailVerified, twoFactorEnabled, isOperator, sessionId },
    needsSecondFactor:
      !person.hasSecondFactor &&
      asksForSecondFactor(config, isOperator || rows.some((row) => row.in_production)),
    operatorName: config.operatorName,
    steppedUpUntil: steppedUpUntil(person).toISOString(),
    memberships: rows.map((row) => ({
      merchantId: row.merchant_id,
      businessName: row.business_name,
      sandboxAheadMs: row.sandbox_ahead_ms,
      environments: row.in_production && emailVerified ? ['sandbox', 'production'] : ['sandbox'],
      suspensions: (row.suspensions ?? []).map(({ environment, reason, suspendedAt }) => ({
        environment: environment === 'SANDBOX' ? 'sandbox' : 'production',
        reason,
        suspendedAt: new Date(suspendedAt).toISOString(),
      })),
      role: row.role,
      permissions: [...permissionsOf[row.role]],
    })),
  };
};
