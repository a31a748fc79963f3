import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one of vitest.
  interface ProvidedContext {
    readonly compiledPrograms: string;
  }
}

// Below our packages, so that a compiled program finds the libraries that it does not hold.
const parent = fileURLToPath(
  new URL('../../../node_modules/.cache/florin-test-programs', import.meta.url),
);

let folder = '';

/** What one worker of the run compiled, the others take from here. */
export const setup = async (project: TestProject): Promise<void> => {
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(join(parent, 'run-'));
  // Some tests start a program as another user.
  await chmod(folder, 0o755);
  project.provide('compiledPrograms', folder);
};

export const teardown = (): Promise<void> => rm(folder, { recursive: true, force: true });
