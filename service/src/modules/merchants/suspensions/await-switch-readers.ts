import { setTimeout as sleep } from 'node:timers/promises';
import type { Uses } from '#platform/tools.ts';
import { listSwitchReaders } from './store/suspensions.ts';

const lookEveryMs = 20;
// No statement of ours runs longer; a backup, which also holds the table, must not be awaited.
const longestStatementMs = 9_000;

/**
 * Waits for the statements that may have read the switches as they were before. A lock that each of
 * them takes would make every payment pay for what happens once in a year.
 */
export const awaitSwitchReaders = async ({ database }: Uses<'database'>): Promise<void> => {
  const endsAtMs = performance.now() + longestStatementMs;
  const running = async (): Promise<readonly string[]> =>
    (await database.system(listSwitchReaders, {})).map(({ reader }) => reader);
  let earlier = new Set(await running());
  while (earlier.size > 0 && performance.now() < endsAtMs) {
    await sleep(lookEveryMs);
    earlier = new Set((await running()).filter((reader) => earlier.has(reader)));
  }
};
