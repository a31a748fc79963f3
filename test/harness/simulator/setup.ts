import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { banks, furtherBanksKey } from '../../../simulator/src/bank/banks.ts';
import { systemClock } from '../../../simulator/src/system-clock.ts';
import { openCredentials, serverHostsOf } from '../../../simulator/src/trust/credentials.ts';
import { discardFolder } from '../discard-folder.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one of vitest.
  interface ProvidedContext {
    readonly simulatorTrust: string;
  }
}

let folder = '';

/** Keys and certificates that every simulator of the run copies: creating them takes a second. */
export const setup = async (project: TestProject): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'florin-trust-'));
  const { openKey } = await openCredentials({
    folder,
    serverHosts: serverHostsOf('127.0.0.1', undefined),
    now: systemClock.now(),
  });
  await Promise.all([...banks.map(({ id }) => id), furtherBanksKey].map(openKey));
  project.provide('simulatorTrust', folder);
};

export const teardown = (): Promise<void> => discardFolder(folder);
