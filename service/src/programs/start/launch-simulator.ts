import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '#platform/clock.ts';
import { parsedOr } from '#platform/command.ts';
import type { Log } from '#platform/log.ts';
import { findFreePort, isPortFree } from './find-free-port.ts';

const restartAfterMs = 300;
const readyLimitMs = 60_000;
const stopLimitMs = 1_500;
const maxTries = 3;

export type SimulatorOrder = {
  readonly folder: string;
  readonly databaseUrl: string;
  /** Where its banks may return a browser to. */
  readonly redirectUris: readonly string[];
  /** The address for events of the card processor. */
  readonly cardEventsUrl: string;
  /** The address for notices of the transfer hub; left out: it sends none. */
  readonly bankNoticesUrl?: string;
  readonly host: string;
  /** As customers reach it; null: as it listens. */
  readonly url?: string | null;
};

type Ports = { readonly front: number; readonly back: number; readonly cards: number };

type SimulatorTools = { readonly clock: Clock; readonly log: Log };

/** Banks and card processor in a process of its own; when it dies it is started again. */
export const launchSimulator = (tools: SimulatorTools, order: SimulatorOrder) => {
  let isStopping = false;
  let isRunning = false;
  let child: ChildProcess | undefined;
  const launch = async (ports: Ports): Promise<string> => {
    if (isStopping) return new Promise(() => undefined);
    child = spawnSimulator(order, ports);
    logLines(child, tools.log);
    child.on('exit', () => {
      isRunning = false;
      if (isStopping) return;
      tools.log.warn({}, 'the simulator ended and is started again');
      void tools.clock
        .sleep(restartAfterMs)
        .then(() => (isStopping ? '' : launch(ports)))
        .catch(() => 'its own end starts it again');
    });
    const url = await readyUrl(child);
    isRunning = true;
    return url;
  };
  const begin = async (triesLeft = maxTries): Promise<string> => {
    await mkdir(order.folder, { recursive: true, mode: 0o700 });
    try {
      return await launch(await choosePorts(order));
    } catch (error) {
      // Another program may take a port between our check and the simulator's start.
      const isTaken = !(await areFree(order.host, await readPorts(order)));
      if (!isTaken || triesLeft === 1) throw error;
      return begin(triesLeft - 1);
    }
  };
  const ready = begin();
  // A failure reaches the caller that awaits it; a start that is stopped meanwhile does not wait.
  ready.catch(() => undefined);
  return {
    /** Its address, once it answers. */
    ready,
    /** Its banks and its card processor take payments now. */
    isRunning: (): boolean => isRunning,
    stop: async (): Promise<void> => {
      isStopping = true;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ending = child;
      const exited = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGTERM');
      const late = setTimeout(() => ending.kill('SIGKILL'), stopLimitMs);
      await exited;
      clearTimeout(late);
    },
  };
};

/** Compiled like this program and at the same path from it, or both are sources. */
const simulatorArguments = (): readonly string[] => {
  const [, start = ''] = process.argv;
  const program = resolve(start, '../../../../simulator/src', `start${extname(start)}`);
  // As this program was started: 102 MB resident instead of 118.
  const memory = process.execArgv.filter((word) => word.startsWith('--max-semi-space-size='));
  return [...memory, ...(program.endsWith('.ts') ? ['--import', 'tsx'] : []), program];
};

const spawnSimulator = (order: SimulatorOrder, ports: Ports): ChildProcess =>
  spawn(process.execPath, simulatorArguments(), {
    // The pipe on its input shows it that this process has ended, for any reason. A group of its
    // own keeps Ctrl-C for us: we stop it ourselves, after its last answer.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SIMULATOR_HOST: order.host,
      ...(order.url && { SIMULATOR_URL: order.url }),
      SIMULATOR_PORT: String(ports.front),
      SIMULATOR_MTLS_PORT: String(ports.back),
      SIMULATOR_CARDS_PORT: String(ports.cards),
      SIMULATOR_CARDS_WEBHOOK_URLS: order.cardEventsUrl,
      ...(order.bankNoticesUrl && { SIMULATOR_TRANSFERS_NOTICE_URL: order.bankNoticesUrl }),
      SIMULATOR_DATABASE_URL: order.databaseUrl,
      SIMULATOR_TRUST_FOLDER: join(order.folder, 'trust'),
      SIMULATOR_REDIRECT_URIS: order.redirectUris.join(','),
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
  });

/** What it says joins our log; what is no JSON are the last words of a program that fails. */
const logLines = ({ stderr }: ChildProcess, log: Log): void => {
  if (!stderr) return;
  createInterface({ input: stderr }).on('line', (line) => {
    const said = line.startsWith('{') ? parsedOr(line, () => null) : null;
    if (said === null) process.stderr.write(`${line}\n`);
    else {
      const { simulator, ...facts } = said as { readonly simulator: string };
      log.warn(facts, `simulator: ${simulator}`);
    }
  });
};

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error('The simulator did not start in time.')),
      readyLimitMs,
    );
    child.once('close', () => reject(new Error('The simulator could not start; see above.')));
    if (!child.stdout) return reject(new Error('The simulator has no output.'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      clearTimeout(late);
      resolve(String((JSON.parse(line) as { url: unknown }).url));
    });
  });

/** The same ports at every start, so that a payment begun before a restart finds its bank again. */
const choosePorts = async (order: SimulatorOrder): Promise<Ports> => {
  const stored = await readPorts(order);
  if (stored && (await areFree(order.host, stored))) return stored;
  const ports = {
    front: await findFreePort(order.host),
    back: await findFreePort(order.host),
    cards: await findFreePort(order.host),
  };
  await writeFile(portsFile(order), JSON.stringify(ports));
  return ports;
};

const portsFile = (order: SimulatorOrder): string => join(order.folder, 'ports.json');

const readPorts = (order: SimulatorOrder): Promise<Ports | null> =>
  readFile(portsFile(order), 'utf8').then(
    (text) => JSON.parse(text) as Ports,
    () => null,
  );

const areFree = async (host: string, ports: Ports | null): Promise<boolean> => {
  if (!ports) return true;
  const free = await Promise.all(Object.values(ports).map((port) => isPortFree(host, port)));
  return free.every(Boolean);
};
