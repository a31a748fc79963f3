import { DatabaseUnavailable, isTimeout } from './database/database-unavailable.ts';
import type { Database } from './database/open-database.ts';
import { errorText, finishWork, type Work } from './database/stuck-rows.ts';
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
  /** Null: as long as of any work. */
  longestPauseMs: (item: Item) => number | null = () => null,
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
        return {
          ...{ ...item, subjectId, error: errorText(error) },
          longestPauseMs: longestPauseMs(item),
        };
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

/**
 * The same for work that keeps its pause in its own row, where `putOff` writes it with the reason. What
 * cannot even be put off is tried again when its lease is over.
 */
export const runEachWithOwnPause = async <Item>(
  { log }: { readonly log: Log },
  job: string,
  items: readonly Item[],
  run: (item: Item) => Promise<boolean>,
  putOff: (item: Item, error: string) => Promise<unknown>,
): Promise<number> => {
  const done = await Promise.all(
    items.map(async (item) => {
      try {
        return await run(item);
      } catch (error) {
        const reason = errorText(error);
        await putOff(item, reason).catch((failure: unknown) =>
          log.warn({ job, error: reason, failure: errorText(failure) }, 'work is not put off'),
        );
        return false;
      }
    }),
  );
  return done.filter((isDone) => isDone).length;
};

/**
 * Runs items in one go, which must do all or nothing. When that fails: in halves, down to the bad one, which
 * is put off. What waited too long may have waited for one row: then each is run by itself.
 */
export const runTogether = async <Item extends OfTenant>(
  tools: Parameters<typeof runEach>[0],
  work: Work,
  items: readonly Item[],
  subjectOf: (item: Item) => string,
  run: (items: readonly Item[]) => Promise<unknown>,
): Promise<number> => {
  const runOne = (item: Item) => run([item]);
  if (items.length < 2) return runEach(tools, work, items, subjectOf, runOne);
  try {
    await run(items);
  } catch (error) {
    if (isTimeout(error)) return runInTurn(tools, work, items, subjectOf, runOne);
    if (error instanceof DatabaseUnavailable) throw error;
    const middle = Math.ceil(items.length / 2);
    const first = await runTogether(tools, work, items.slice(0, middle), subjectOf, run);
    return first + (await runTogether(tools, work, items.slice(middle), subjectOf, run));
  }
  const done = items.map((item) => ({ ...item, subjectId: subjectOf(item), error: null }));
  await finishWork(tools.database, work, done);
  return items.length;
};
