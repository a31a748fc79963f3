import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Database } from './open-database.ts';
import { statement } from './statement.ts';

export const wakeChannel = 'florin_wake';

const gatherMs = 20;
// A notification holds 8,000 bytes; a name is an identifier of 36.
const namesMost = 200;

const notify = statement<{ readonly channel: string; readonly names: string }, never>(
  'wake_notify',
  'select pg_notify(:channel, :names)',
);

/**
 * Tells the workers of other processes, after the commit and outside of any transaction: at once, then
 * at most every 20 ms. Losing one costs a moment only, because workers look by themselves.
 */
export const notifyWakes = (tools: { readonly database: Database; readonly log: Log }) => {
  const waiting = new Set<string>();
  let isTelling = false;
  const tell = async (): Promise<void> => {
    const names = waiting.size > namesMost ? '' : [...waiting].join(',');
    waiting.clear();
    try {
      await tools.database.system(notify, { channel: wakeChannel, names });
    } catch (error) {
      tools.log.debug({ error: (error as Error).message }, 'workers were not woken');
    }
  };
  const tellAll = async (): Promise<void> => {
    isTelling = true;
    while (waiting.size > 0) await Promise.all([tell(), sleep(gatherMs)]);
    isTelling = false;
  };
  return (names: readonly string[]): void => {
    for (const name of names) waiting.add(name);
    if (waiting.size > 0 && !isTelling) void tellAll();
  };
};
