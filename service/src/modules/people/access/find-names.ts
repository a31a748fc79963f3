import type { Uses } from '#platform/tools.ts';
import { readNames } from './store/people.ts';

/** Who made what a merchant shows, by id; also of a person who has left the team. */
export const findNames = async (
  { database }: Uses<'database'>,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (personIds.length === 0) return new Map();
  const rows = await database.system(readNames, { personIds: [...new Set(personIds)] });
  return new Map(rows.map(({ person_id: id, name }) => [id, name]));
};
