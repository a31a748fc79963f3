import type { Uses } from '#platform/tools.ts';
import { updateOperator } from './store/people.ts';

/** Whether a person operates the installation. False: no person has the address. */
export const setOperator = async (
  { database }: Uses<'database'>,
  email: string,
  isOperator: boolean,
): Promise<boolean> => {
  const changed = await database.system(updateOperator, { email: email.toLowerCase(), isOperator });
  return changed.length > 0;
};
