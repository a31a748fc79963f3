import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tools } from '#platform/tools.ts';
import {
  type OpenBankingUk,
  openBankingUk,
  readRegistration,
} from '#rails/open-banking-uk/index.ts';

const lookAgainAfterMs = 500;

export type SandboxBankRail = {
  /** Null until the simulator has registered us. */
  readonly find: () => OpenBankingUk | null;
  readonly close: () => Promise<void>;
};

/**
 * The connector to the simulated banks. The simulator is its own program: it may register us after
 * this one has started, or again elsewhere, so its registration is checked on use.
 */
export const sandboxBankRail = (
  tools: Pick<Tools, 'clock' | 'ids' | 'log'>,
  trustFolder: string,
  redirectUri: string,
  accountRedirectUri: string,
): SandboxBankRail => {
  const opened: OpenBankingUk[] = [];
  let known: { readonly text: string; readonly rail: OpenBankingUk } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    const text = readText(join(trustFolder, 'registration.json'));
    if (text === null || text === known?.text) return;
    const rail = openBankingUk(
      readRegistration(trustFolder, redirectUri, accountRedirectUri),
      tools,
    );
    // One that is replaced may still be in use: it is closed at the end.
    opened.push(rail);
    known = { text, rail };
  };
  return {
    find: () => {
      const nowMs = tools.clock.now().getTime();
      if (nowMs - lookedAtMs < lookAgainAfterMs) return known?.rail ?? null;
      lookedAtMs = nowMs;
      try {
        look();
      } catch (error) {
        tools.log.warn({ error: (error as Error).message }, 'a registration cannot be read yet');
      }
      return known?.rail ?? null;
    },
    close: async () => {
      await Promise.all(opened.map((rail) => rail.close()));
    },
  };
};

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
