import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tools } from '#platform/tools.ts';

type Closable = { readonly close: () => Promise<void> };

/** What it is opened from: an equal text means that nothing has changed. */
type Read<Rail> = { readonly text: string; readonly open: () => Rail | null };

export type Reopened<Rail> = {
  /** Looks if it was not done lately. A fault is reported once, and what was open before stays. */
  readonly find: () => Rail | null;
  /** Looks now, and throws what is wrong. */
  readonly look: () => void;
  readonly close: () => Promise<void>;
};

/** Opens again when its files have changed: they are read on use, at most every `everyMs`. */
export const reopenOnChange = <Rail extends Closable>(
  { clock }: Pick<Tools, 'clock'>,
  everyMs: number,
  read: () => Read<Rail> | null,
  report: (fault: string) => void,
): Reopened<Rail> => {
  const opened: Rail[] = [];
  let current: { readonly text: string; readonly rail: Rail | null } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let fault: string | null = null;
  const look = (): void => {
    lookedAtMs = clock.now().getTime();
    const found = read();
    if (found === null || found.text === current?.text) return;
    const rail = found.open();
    // One that is replaced may still be in use: it is closed at the end.
    if (rail) opened.push(rail);
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

const lookForSimulatorEveryMs = 500;

/**
 * A connector to the simulator, by the text of its registration; none until it has registered us. It is
 * its own program: it may do so after this one has started, or again at another address.
 */
export const reopenOnRegistration = <Rail extends Closable>(
  tools: Pick<Tools, 'clock' | 'log'>,
  trustFolder: string,
  open: (registration: string) => Rail | null,
): Reopened<Rail> =>
  reopenOnChange(
    tools,
    lookForSimulatorEveryMs,
    () => {
      const text = readIfThere(join(trustFolder, 'registration.json'));
      return text === null ? null : { text, open: () => open(text) };
    },
    (error) => tools.log.warn({ error }, 'a registration cannot be read yet'),
  );

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
