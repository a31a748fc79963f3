import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Ran = { readonly code: number; readonly out: string; readonly said: string };

/** A program of the operator's, as a process of its own, with its answer and what it said of errors. */
export const runCommand = (
  program: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> =>
  new Promise((resolve) => {
    const path = fileURLToPath(new URL(`../../service/src/programs/${program}`, import.meta.url));
    execFile(
      process.execPath,
      ['--import', 'tsx', path, ...words],
      { env: { ...process.env, ...settings } },
      (error, out, said) => resolve({ code: error ? Number(error.code) : 0, out, said }),
    );
  });
