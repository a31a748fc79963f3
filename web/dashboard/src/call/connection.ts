import { realNow } from '../parts/times.ts';
import { openSignal } from './signal.ts';

/** Since when the server has not answered; null: it does. */
export const lostSince = openSignal<Date | null>(null);

const probeEveryMs = 3_000;
let isProbing = false;

export const noteReached = (): void => lostSince.write(null);

/** From now on it is asked every few seconds whether it is back. */
export const noteLost = (): void => {
  if (lostSince.read() === null) lostSince.write(realNow());
  if (isProbing) return;
  isProbing = true;
  void probe();
};

const answers = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Before the next time that it would be. */
export const askNow = async (): Promise<void> => {
  if (await answers()) noteReached();
};

const probe = async (): Promise<void> => {
  while (lostSince.read() !== null) {
    await new Promise((resolve) => setTimeout(resolve, probeEveryMs));
    if (await answers()) noteReached();
  }
  isProbing = false;
};

/** The code of a page is a file of the server too: without it the page waits, and comes by itself. */
export const loadPatiently = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  try {
    return await load();
  } catch (error) {
    if (await answers()) throw error;
    noteLost();
    await new Promise<void>((resolve) => {
      const stop = lostSince.listen(() => {
        if (lostSince.read() !== null) return;
        stop();
        resolve();
      });
    });
    return loadPatiently(load);
  }
};

/** The browser knows of its own line before a call fails. */
export const watchLine = (): void => {
  addEventListener('offline', noteLost);
  addEventListener('online', () => void askNow());
};
