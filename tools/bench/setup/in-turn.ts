import { once } from 'node:events';

/**
 * In `npm run bench compare` both checkouts stand ready at the same time, and measure one after the
 * other, round by round: what else the machine does in those seconds then weighs on both.
 */
export const inTurn = async <Measured>(measure: () => Promise<Measured>): Promise<Measured> => {
  if (!process.send) return measure();
  const allowed = once(process, 'message');
  process.send('ready');
  await allowed;
  try {
    return await measure();
  } finally {
    process.send('done');
  }
};
