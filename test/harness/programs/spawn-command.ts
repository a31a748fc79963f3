import { execFile } from 'node:child_process';
import { compileProgram } from './compile-program.ts';
import type { CommandProgram, Ran } from './run-command.ts';

/** A command of the operator, as its own process, with its output and errors. */
export const spawnCommand = async (
  program: CommandProgram | 'doctor.ts' | 'api.ts',
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
