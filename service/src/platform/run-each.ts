import { finishWork, type Work } from './database/finish-work.ts';
import type { Database } from './database/open-database.ts';
import { errorText } from './database/stuck-rows.ts';
import type { Log } from './log.ts';

type OfTenant = { readonly merchant_id: string; readonly environment: string };

/**
 * Runs each item of a job by itself. One that fails is logged, remembered with its reason and put off,
 * longer each time: it stops no other, and the claim passes it over meanwhile. Answers how many are done.
 */
export const runEach = async <Item extends OfTenant>(
  { database, log }: { readonly database: Database; readonly log: Log },
  work: Work,
  items: readonly Item[],
  subjectOf: (item: Item) => string,
  run: (item: Item) => Promise<unknown>,
): Promise<number> => {
  const worked = await Promise.all(
    items.map(async (item) => {
      const subjectId = subjectOf(item);
      try {
        await run(item);
        return { ...item, subjectId, error: null };
      } catch (error) {
        const { merchant_id: merchantId, environment } = item;
        const fields = { work, merchantId, environment, subjectId, error: errorText(error) };
        log.warn(fields, 'a job will try again');
        return { ...item, subjectId, error: errorText(error) };
      }
    }),
  );
  await finishWork(database, work, worked);
  // What failed is not counted: it is tried again after a pause, not at once.
  return worked.filter(({ error }) => error === null).length;
};

/** The same, one after the other. */
export const runInTurn = async <Item extends OfTenant>(
  tools: Parameters<typeof runEach>[0],
  work: Work,
  items: readonly Item[],
  subjectOf: (item: Item) => string,
  run: (item: Item) => Promise<unknown>,
): Promise<number> => {
  let done = 0;
  for (const item of items) done += await runEach(tools, work, [item], subjectOf, run);
  return done;
};
