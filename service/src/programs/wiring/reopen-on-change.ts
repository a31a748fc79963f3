import type { Clock } from '#platform/clock.ts';

type Closable = { readonly close: () => Promise<void> };

/** What it is opened from: an equal text means that nothing has changed. */
export type Read<Rail> = { readonly text: string; readonly open: () => Rail };

export type Reopened<Rail> = {
  /** Looks if it was not done lately. A fault is reported once, and what was open before stays. */
  readonly find: () => Rail | null;
  /** Looks now, and throws what is wrong. */
  readonly look: () => void;
  readonly close: () => Promise<void>;
};

/** Opens again when its files have changed: they are read on use, at most every `everyMs`. */
export const reopenOnChange = <Rail extends Closable>(
  clock: Pick<Clock, 'now'>,
  everyMs: number,
  read: () => Read<Rail> | null,
  report: (fault: string) => void,
): Reopened<Rail> => {
  const opened: Rail[] = [];
  let current: { readonly text: string; readonly rail: Rail } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let fault: string | null = null;
  const look = (): void => {
    lookedAtMs = clock.now().getTime();
    const found = read();
    if (found === null || found.text === current?.text) return;
    const rail = found.open();
    // One that is replaced may still be in use: it is closed at the end.
    opened.push(rail);
    current = { text: found.text, rail };
  };
  return {
    look,
    find: () => {
      if (clock.now().getTime() - lookedAtMs < everyMs) return current?.rail ?? null;
      try {
        look();
        fault = null;
      } catch (error) {
        const { message } = error as Error;
        if (message !== fault) report(message);
        fault = message;
      }
      return current?.rail ?? null;
    },
    close: async () => {
      await Promise.all(opened.map((rail) => rail.close()));
    },
  };
};
