import { isDeadlock } from './database-unavailable.ts';

const maxTries = 10;

/** PostgreSQL ends one of two statements in a deadlock, with nothing written: that one is run again. */
export const retryDeadlock = async <Value>(run: () => Promise<Value>): Promise<Value> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await run();
    } catch (error) {
      if (tries === maxTries || !isDeadlock(error)) throw error;
    }
};
