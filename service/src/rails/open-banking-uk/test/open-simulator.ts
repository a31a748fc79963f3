import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestDatabase } from '../../../../../test/harness/database/open-test-database.ts';
import { openEmptyDatabase } from '../../../../../test/harness/database/open-test-database.ts';
import { discardFolder } from '../../../../../test/harness/discard-folder.ts';
import { compileProgram } from '../../../../../test/harness/programs/compile-program.ts';

/** The simulator as a process of its own, with books of its own. */
export type Simulator = {
  readonly folder: string;
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly fault: (operation: string, kind: string, more?: object) => Promise<unknown>;
  readonly paymentsOf: (consentId: string) => Promise<readonly BookedPayment[]>;
  readonly close: () => Promise<void>;
};

export type BookedPayment = {
  readonly paymentId: string;
  readonly status: string;
  readonly amountPence: number;
  readonly reference: string;
  readonly debited: boolean;
  readonly endToEndIdentification: string;
};

const startWithinMs = 60_000;

export const openSimulator = async (): Promise<Simulator> => {
  const database = await openEmptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'florin-banks-'));
  const start = await compileProgram('simulator/src/start.ts');
  const program = spawn(process.execPath, [start], {
    env: {
      ...process.env,
      SIMULATOR_PORT: '0',
      SIMULATOR_MTLS_PORT: '0',
      SIMULATOR_DATABASE_URL: database.url,
      SIMULATOR_TRUST_FOLDER: folder,
      SIMULATOR_REDIRECT_URIS: redirectUri,
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await readiness(program);
  const registration = JSON.parse(await readFile(join(folder, 'registration.json'), 'utf8'));
  const control: Simulator['control'] = async (method, path, body) => {
    const reply = await fetch(`${registration.controlUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${registration.controlToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`control ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  return {
    folder,
    control,
    fault: (operation, kind, more = {}) =>
      control('POST', '/faults', { bankId: simulatedBankId, operation, kind, ...more }),
    paymentsOf: async (consentId) =>
      (await control('GET', `/payments?consentIds=${consentId}`)) as readonly BookedPayment[],
    close: () => closeAll(program, database, folder),
  };
};

const readiness = (program: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the simulator is late')), startWithinMs);
    program.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)));
    if (program.stdout)
      createInterface({ input: program.stdout }).once('line', () => {
        clearTimeout(late);
        resolve();
      });
  });

const closeAll = async (program: ChildProcess, database: TestDatabase, folder: string) => {
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGTERM');
  await ended;
  await database.close();
  await discardFolder(folder);
};

export const simulatedBankId = 'harbour-sandbox';

export const redirectUri = 'http://127.0.0.1:9/return';
