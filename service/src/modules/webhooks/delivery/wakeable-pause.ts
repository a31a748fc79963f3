export type WakeablePause = {
  readonly end: () => void;
  readonly for: (durationMs: number) => Promise<void>;
};

const maxDurationMs = 5_000;

/** Sleeps that end early; an end without a sleeper is not lost. */
export const wakeablePause = (): WakeablePause => {
  let endNow: (() => void) | null = null;
  let isWoken = false;
  return {
    end: () => {
      if (endNow) endNow();
      else isWoken = true;
    },
    for: async (durationMs) => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(durationMs, maxDurationMs));
          endNow = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      endNow = null;
      isWoken = false;
    },
  };
};
