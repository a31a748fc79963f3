import { once } from 'node:events';
import type { CommandProcess } from '#platform/command.ts';

export const commandProcess = (): CommandProcess => ({
  settings: process.env,
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
});
