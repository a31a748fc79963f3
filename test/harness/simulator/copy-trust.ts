import { cp } from 'node:fs/promises';
import { inject } from 'vitest';

/** Gives a simulator the keys of the run, before its first start. */
export const copyTrust = (folder: string): Promise<void> =>
  cp(inject('simulatorTrust'), folder, { recursive: true });
