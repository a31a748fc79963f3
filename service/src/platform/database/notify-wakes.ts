import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

const minIntervalMs = 20;
// A notification holds 8,000 bytes; a name is an identifier of 36.
const maxNames = 200;

const notify = statement<{ readonly channel: string; readonly names: string }, never>(
  'wake_notify',
  sql('channel', 'names')`select pg_notify(:channel, :names)`,
);

/**
 * Wakes the workers of other processes, after the commit and outside of any transaction: at once, then
 * at most every 20 ms. A lost wake only costs a moment, because workers also look by themselves.
 */
export const notifyWakes = (tools: { readonly database: Database; readonly log: Log }) => {
  const waiting = new Set<string>();
  let isNotifying = false;
  const send = async (): Promise<void> => {
    const names = waiting.size > maxNames ? '' : [...waiting].join(',');
    waiting.clear();
    try {
      await tools.database.system(notify, { channel: wakeChannel, names });
    } catch (error) {
      tools.log.debug({ error: (error as Error).message }, 'workers were not woken');
    }
  };
  const sendAll = async (): Promise<void> => {
    isNotifying = true;
    while (waiting.size > 0) await Promise.all([send(), sleep(minIntervalMs)]);
    isNotifying = false;
  };
  return (names: readonly string[]): void => {
    for (const name of names) waiting.add(name);
    if (waiting.size > 0 && !isNotifying) void sendAll();
  };
};

export const wakeChannel = 'florin_wake';
