import { execFile } from 'node:child_process';
import { compileProgram } from './compile-program.ts';

export type Ran = { readonly code: number; readonly out: string; readonly said: string };

/** A program of the operator's, as a process of its own, with its answer and what it said of errors. */
export const runCommand = async (
  program: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> => {
  const path = await compileProgram(`service/src/programs/${program}`);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path, ...words],
      { env: { ...process.env, ...settings } },
      (error, out, said) => resolve({ code: error ? Number(error.code) : 0, out, said }),
    );
  });
};
