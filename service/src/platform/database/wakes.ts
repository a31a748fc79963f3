import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { findPrimary } from './find-primary.ts';
import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

// Each is a commit: the more names come at once, the longer the next are collected.
const perNameMs = 2;
const longestIntervalMs = 20;
// A notification holds 8,000 bytes; a name is an identifier of 36.
const maxNames = 200;

const notify = statement<{ readonly channel: string; readonly names: string }, never>(
  'wake_notify',
  sql('channel', 'names')`select pg_notify(:channel, :names)`,
);

/**
 * Wakes the workers of other processes, after the commit and outside of any transaction: at once, then
 * after 2 to 20 ms. A lost wake only costs a moment, because workers also look by themselves.
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
    while (waiting.size > 0) {
      const intervalMs = Math.min(longestIntervalMs, perNameMs * waiting.size);
      await Promise.all([send(), sleep(intervalMs)]);
    }
    isNotifying = false;
  };
  return (names: readonly string[]): void => {
    for (const name of names) waiting.add(name);
    if (waiting.size > 0 && !isNotifying) void sendAll();
  };
};

const wakeChannel = 'florin_wake';

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const connectTimeoutMs = 5_000;

type Listening = { readonly stop: () => Promise<void> };

/**
 * Listens on one connection for as long as the program runs and reopens it when it is lost. `onWake`
 * without names means that wakes may have been missed.
 */
export const listenForWakes = (options: {
  readonly connectionString: string;
  readonly applicationName: string;
  readonly log: Log;
  readonly onWake: (names?: readonly string[]) => void;
}): Listening => {
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  const listenOnce = async (): Promise<void> => {
    client = new pg.Client({
      connectionString: await findPrimary(options.connectionString),
      application_name: options.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => client?.once('end', resolve));
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) =>
      options.onWake(payload ? payload.split(',') : undefined),
    );
    await client.connect();
    await client.query(`listen ${wakeChannel}`);
    options.onWake();
    await ended;
  };
  const listen = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const started = performance.now();
      await listenOnce().catch((error: Error) => {
        options.log.debug({ error: error.message }, 'cannot listen for wakes of other processes');
      });
      await client?.end().catch(() => undefined);
      const wasStable = performance.now() - started > longestPauseMs;
      pauseMs = wasStable ? firstPauseMs : Math.min(longestPauseMs, 2 * pauseMs);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = listen();
  return {
    stop: async () => {
      stopping.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
};
