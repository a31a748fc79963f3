import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { newMerchantRows } from '#modules/merchants/index.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { NoteActor } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { hashPassword } from './hash-password.ts';
import { findPersonByEmail, insertOwner } from './store/owners.ts';

export type SignUpTools = Uses<'database' | 'ids' | 'secrets'> & {
  /** Anybody may sign up; else people come by invite only. */
  readonly openSignUp: boolean;
};

export type NewOwner = {
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
