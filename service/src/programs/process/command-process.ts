import { once } from 'node:events';

/** What a command has of the process that runs it. */
export type CommandProcess = {
  /** The environment variables. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** To the standard output, as fast as it is read. */
  readonly write: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
};

export const commandProcess = (): CommandProcess => ({
  settings: process.env,
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
});
