import { callFlorin, type Florin } from './call-florin.ts';

/** Forward only; all that falls due on the way happens at its own time. */
export const walkClock = async (florin: Florin, to: Date): Promise<void> => {
  const now = await readSandboxTime(florin);
  let advanceMs = to.getTime() - now.getTime();
  while (advanceMs > 0) {
    const moved = await callFlorin(florin, 'POST', '/api/sandbox/clock', { body: { advanceMs } });
    advanceMs = moved.remainingMs;
  }
};

/** The merchant's time in the sandbox. */
export const readSandboxTime = async (florin: Florin): Promise<Date> => {
  const { now } = await callFlorin(florin, 'POST', '/api/sandbox/clock', {
    body: { advanceMs: 0 },
  });
  return new Date(now);
};
