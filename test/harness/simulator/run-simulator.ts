import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findTraces } from '../card-traces/find-traces.ts';
import { requireNoTraces } from '../card-traces/require-no-traces.ts';
import { openSimulatorDatabase } from '../database/open-test-database.ts';
import { discardFolder } from '../discard-folder.ts';
import { compileProgram } from '../programs/compile-program.ts';
import { findTestPort } from '../programs/find-test-port.ts';
import { copyTrust } from './copy-trust.ts';
import { type CallControl, openControl } from './open-control.ts';
import { redirectUri } from './open-test-simulator.ts';

/** The real program in a process of its own, to kill, with books of its own. */
export const runSimulator = async (
  redirectTo = redirectUri,
  furtherBanks: readonly object[] = [],
): Promise<RunningSimulator> => {
  const database = await openSimulatorDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'florin-simulator-'));
  const trustFolder = join(folder, 'trust');
  await copyTrust(trustFolder);
  const banksFile = join(folder, 'banks.json');
  await writeFile(banksFile, JSON.stringify(furtherBanks));
  const [port, mtlsPort, cardsPort] = await Promise.all([1, 2, 3].map(() => findTestPort()));
  const environment = {
    PATH: process.env.PATH,
    SIMULATOR_PORT: String(port),
    SIMULATOR_MTLS_PORT: String(mtlsPort),
    SIMULATOR_CARDS_PORT: String(cardsPort),
    SIMULATOR_DATABASE_URL: database.url,
    SIMULATOR_TRUST_FOLDER: trustFolder,
    SIMULATOR_BANKS_FILE: banksFile,
    SIMULATOR_REDIRECT_URIS: redirectTo,
    SIMULATOR_EXIT_WITH_PARENT: '1',
  };
  let started = await startProcess(environment);
  const kill = async (signal: NodeJS.Signals) => {
    const { child } = started;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return gone;
  };
  return {
    ...started.ready,
    control: await openControl(trustFolder),
    databaseUrl: database.url,
    output: () => started.lines,
    logged: () => started.complaints.join(''),
    kill,
    start: async () => {
      started = await startProcess(environment);
    },
    close: async () => {
      await kill('SIGTERM');
      await database.close();
      await discardFolder(folder);
      requireNoTraces(findTraces([...started.lines, ...started.complaints].join('\n')));
    },
  };
};

export type RunningSimulator = {
  readonly url: string;
  readonly backUrl: string;
  readonly cardsUrl: string;
  readonly trustFolder: string;
  readonly databaseUrl: string;
  readonly control: CallControl;
  readonly output: () => readonly string[];
  // Its log since the last start.
  readonly logged: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  start(): Promise<void>;
  close(): Promise<void>;
};

type Started = {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly ready: Pick<RunningSimulator, 'url' | 'backUrl' | 'cardsUrl' | 'trustFolder'>;
  readonly complaints: readonly string[];
};

const startProcess = async (environment: NodeJS.ProcessEnv): Promise<Started> => {
  const program = await compileProgram('simulator/src/start.ts');
  const child = spawn(process.execPath, [program], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const complaints: string[] = [];
  child.stderr.on('data', (text) => complaints.push(String(text)));
  const ready = await new Promise<Started['ready']>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line));
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${complaints.join('')}`)));
  });
  return { child, lines, ready, complaints };
};
