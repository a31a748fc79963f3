import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#kernel/environment.ts';
import type { Tools } from '#platform/tools.ts';
import {
  type Iso20022,
  openIso20022,
  standardTemplate,
  transferSettings,
} from '#rails/iso20022/index.ts';

const lookAgainAfterMs = 500;

export type OpenedTransferRails = {
  readonly find: (environment: Environment) => Iso20022 | null;
  readonly close: () => Promise<void>;
};

/** The simulator's transfer hub for the sandbox, a folder of files for production. */
export const openTransferRails = (tools: Tools, trustFolder: string): OpenedTransferRails => {
  const root = tools.config.productionTransferFolder;
  const production =
    root === null
      ? null
      : openIso20022({ template: standardTemplate, channel: { kind: 'FOLDER', root } }, tools);
  const sandbox = sandboxTransferRail(tools, trustFolder);
  return {
    find: (environment) => (environment === 'SANDBOX' ? sandbox.find() : production),
    close: async () => {
      await Promise.all([sandbox.close(), production?.close()]);
    },
  };
};

/** The simulator may register after this program has started, or again at another address. */
const sandboxTransferRail = (tools: Tools, trustFolder: string) => {
  const opened: Iso20022[] = [];
  let known: { readonly text: string; readonly rail: Iso20022 | null } | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    const text = readText(join(trustFolder, 'registration.json'));
    if (text === null || text === known?.text) return;
    const settings = transferSettings(text, tools.config.sandboxCollectingAccount);
    const rail = settings && openIso20022(settings, tools);
    if (rail) opened.push(rail);
    known = { text, rail };
  };
  return {
    find: (): Iso20022 | null => {
      const nowMs = tools.clock.now().getTime();
      if (nowMs - lookedAtMs >= lookAgainAfterMs) {
        lookedAtMs = nowMs;
        lookSafely(tools, look);
      }
      return known?.rail ?? null;
    },
    close: async () => {
      await Promise.all(opened.map((rail) => rail.close()));
    },
  };
};

const lookSafely = ({ log }: Pick<Tools, 'log'>, look: () => void): void => {
  try {
    look();
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'a registration cannot be read yet');
  }
};

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
