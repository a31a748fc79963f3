import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tools } from '#platform/tools.ts';
import {
  type OpenBankingUk,
  openBankingUk,
  readRegistration,
} from '#rails/open-banking-uk/index.ts';
import { type Reopened, reopenOnChange } from './reopen-on-change.ts';

const lookAgainAfterMs = 500;

/** `find` answers null until the simulator has registered us. */
export type SandboxBankRail = Pick<Reopened<OpenBankingUk>, 'find' | 'close'>;

/**
 * The connector to the simulated banks. The simulator is its own program: it may register us after
 * this one has started, or again elsewhere, so its registration is checked on use.
 */
export const sandboxBankRail = (
  tools: Pick<Tools, 'clock' | 'ids' | 'log'>,
  trustFolder: string,
  redirectUri: string,
  accountRedirectUri: string,
): SandboxBankRail =>
  reopenOnChange(
    tools.clock,
    lookAgainAfterMs,
    () => {
      const text = readText(join(trustFolder, 'registration.json'));
      const read = () => readRegistration(trustFolder, redirectUri, accountRedirectUri);
      return text === null ? null : { text, open: () => openBankingUk(read(), tools) };
    },
    (error) => tools.log.warn({ error }, 'a registration cannot be read yet'),
  );

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
