import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openEmptyDatabase } from '../../../../../test/harness/database/open-test-database.ts';
import { discardFolder } from '../../../../../test/harness/discard-folder.ts';
import { compileProgram } from '../../../../../test/harness/programs/compile-program.ts';

export type RunningSimulator = {
  readonly folder: string;
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** The simulator as a process of its own, with books of its own. */
export const startSimulator = async (): Promise<RunningSimulator> => {
  const database = await openEmptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'florin-transfers-'));
  const program = spawn(process.execPath, [await compileProgram('simulator/src/start.ts')], {
    env: {
      PATH: process.env.PATH,
      SIMULATOR_PORT: '0',
      SIMULATOR_MTLS_PORT: '0',
      SIMULATOR_DATABASE_URL: database.url,
      SIMULATOR_TRUST_FOLDER: folder,
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: program.stdout }), 'line');
  const registration = JSON.parse(await readFile(join(folder, 'registration.json'), 'utf8'));
  return {
    folder,
    control: async (method, path, body) => {
      const answer = await fetch(`${registration.controlUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${registration.controlToken}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    close: async () => {
      const ended = once(program, 'exit');
      program.kill('SIGTERM');
      await ended;
      await database.close();
      await discardFolder(folder);
    },
  };
};
