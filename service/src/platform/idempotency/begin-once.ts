import type { DecideOnce } from '../http/route.ts';
import type { Uses } from '../tools.ts';

export type Begun = {
  /** What the first call under the key found. */
  readonly subject: string;
  /** A program died under this key: what it had begun may be done already, and by this key. */
  readonly isRepeat: boolean;
};

/**
 * For what can be done once, such as a deletion: `find` refuses where there is nothing to do, and names
 * it. A repeat that finds it done knows that the same key did it, and answers the same (WIRE-8).
 */
export const beginOnce = async (
  { ids }: Uses<'ids'>,
  decideOnce: DecideOnce,
  find: () => Promise<string>,
): Promise<Begun> => {
  const own = ids.uuid();
  const decided = await decideOnce(async () => `${own} ${await find()}`);
  const [begunBy, subject = ''] = decided.split(' ');
  return { subject, isRepeat: begunBy !== own };
};
