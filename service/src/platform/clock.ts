/** Real time. Business time is the database's, moved by the tenant's clock (TIME-1). */
export type Clock = {
  readonly now: () => Date;
  /** Resolves early, with no error, when the signal is aborted. */
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
