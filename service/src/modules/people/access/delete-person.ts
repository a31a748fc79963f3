import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { deletePersonRow } from './store/delete-person.ts';

const namedMax = 5;

/** With all that signs them in and lets them work; what they did keeps their id (PEOPLE-16). */
export const deletePerson = async (
  { database }: Uses<'database'>,
  email: string,
): Promise<{ readonly personId: string }> => {
  const [row] = await database.system(deletePersonRow, {
    email: email.trim().toLowerCase(),
    namedMax,
  });
  if (!row)
    throw new Failure(failures.notFound, { message: 'No person signs in with this address.' });
  if (row.is_deleted) return { personId: row.person_id };
  throw new Failure(failures.conflict, {
    message:
      'The person is the last owner of a business. Let another become its owner first ' +
      `(invite-owner): ${row.owned_alone.join(', ')}.`,
  });
};
