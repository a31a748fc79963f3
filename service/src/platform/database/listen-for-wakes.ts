import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { wakeChannel } from './notify-wakes.ts';

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const connectTimeoutMs = 5_000;

export type Listening = { readonly stop: () => Promise<void> };

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
      connectionString: options.connectionString,
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
