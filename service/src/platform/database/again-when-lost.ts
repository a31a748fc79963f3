import { isLostToAnother } from './database-unavailable.ts';

const mostTries = 10;

/** Of two that wait for each other PostgreSQL ends one, with nothing written: that one is asked anew. */
export const againWhenLost = async <Value>(run: () => Promise<Value>): Promise<Value> => {
  for (let tried = 1; ; tried += 1)
    try {
      return await run();
    } catch (error) {
      if (tried === mostTries || !isLostToAnother(error)) throw error;
    }
};
