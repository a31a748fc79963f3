import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { loadOrCreateMasterKey } from '../../service/src/platform/secrets/load-or-create-master-key.ts';
import { bankReturnAddresses } from '../../service/src/programs/wiring/bank-return-addresses.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { makeServerFolder } from '../harness/database/make-server-folder.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import type { PreviousRelease } from '../harness/programs/compile-previous.ts';
import { compileProgram } from '../harness/programs/compile-program.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { openBalancer } from '../harness/programs/open-balancer.ts';
import { copyTrust } from '../harness/simulator/copy-trust.ts';
import { openRigDatabases } from './open-rig-databases.ts';

export type Part = 'api' | 'worker' | 'secondApi' | 'secondWorker' | 'simulator' | 'postgres';
export type Rig = Awaited<ReturnType<typeof openRig>>;
type Settings = Readonly<Record<string, string>>;

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const programs = {
  api: 'service/src/programs/api.ts',
  secondApi: 'service/src/programs/api.ts',
  worker: 'service/src/programs/worker.ts',
  secondWorker: 'service/src/programs/worker.ts',
  simulator: 'simulator/src/start.ts',
};
/** The same programs, with places at which KILL_AT kills them. */
const killablePrograms = {
  ...programs,
  api: 'test/crash/killable-api.test-program.ts',
  worker: 'test/crash/killable-worker.test-program.ts',
};
const readyLimitMs = 60_000;

type RigOptions = {
  /** Left out: databases on the server of the run, which cannot be killed. */
  readonly ownPostgres?: Settings;
  /** The simulator's tables are on the server of the run: what happens to ours, banks know nothing of. */
  readonly banksElsewhere?: boolean;
  /** Two APIs behind a proxy, and two workers. */
  readonly isDoubled?: boolean;
  /** The API works too, as it does under `npm start`, beside the worker. */
  readonly apiWorks?: boolean;
  /** Makes tables and merchant, and all programs are its own until `upgrade`. */
  readonly previous?: PreviousRelease;
};

/** Each program as an operator runs it: a process of its own. */
export const openRig = async ({
  ownPostgres,
  apiWorks = false,
  banksElsewhere = false,
  isDoubled = false,
  previous,
}: RigOptions = {}) => {
  const folder = await makeServerFolder('florin-rig-');
  const ports = await Promise.all([1, 2, 3, 4, 5].map(() => findTestPort()));
  const [port = 0, frontPort = 0, backPort = 0, cardsPort = 0, secondPort = 0] = ports;
  const balancer = isDoubled ? await openBalancer([port, secondPort]) : null;
  const url = balancer?.plainUrl ?? `http://127.0.0.1:${port}`;
  const databases = await openRigDatabases(join(folder, 'postgres'), {
    ...{ ownPostgres, banksElsewhere, isEmpty: previous !== undefined },
  });
  const { databaseUrl } = databases;
  const data = { FLORIN_DATA: folder, LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl };
  const publicUrl: Settings = isDoubled ? { PUBLIC_URL: url } : {};
  const settings = {
    api: { ...data, ...publicUrl, PORT: String(port), ...(apiWorks ? { WITH_WORKER: '1' } : {}) },
    secondApi: { ...data, ...publicUrl, PORT: String(secondPort) },
    worker: { ...data, PUBLIC_URL: url },
    secondWorker: { ...data, PUBLIC_URL: url },
    simulator: {
      SIMULATOR_PORT: String(frontPort),
      SIMULATOR_MTLS_PORT: String(backPort),
      SIMULATOR_CARDS_PORT: String(cardsPort),
      SIMULATOR_CARDS_WEBHOOK_URLS: `${url}/api/rails/card-events/sandbox`,
      SIMULATOR_TRANSFERS_NOTICE_URL: `${url}/api/rails/bank-notices/sandbox`,
      SIMULATOR_DATABASE_URL: databases.simulatorUrl,
      SIMULATOR_TRUST_FOLDER: join(simulatorFolder(folder), 'trust'),
      SIMULATOR_REDIRECT_URIS: bankReturnAddresses(url).join(','),
      SIMULATOR_SETTLES_BY_MS: '600',
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
  };
  await copyTrust(settings.simulator.SIMULATOR_TRUST_FOLDER);
  const merchant = await (previous ? prepareBy(previous, data) : firstMerchant(data));
  let compile = previous?.compile ?? compileProgram;
  const children = new Map<Exclude<Part, 'postgres'>, ChildProcess>();

  const start = async (part: Part, more: Settings = {}): Promise<void> => {
    if (part === 'postgres') return databases.startPostgres(more);
    const path = (more.KILL_AT || apiWorks ? killablePrograms : programs)[part];
    const compileIt = part === 'simulator' ? compileProgram : compile;
    const child = spawnProgram(await compileIt(path), { ...settings[part], ...more });
    children.set(part, child);
    await isReady(child, part);
  };
  const kill = async (part: Part): Promise<void> => {
    if (part === 'postgres') return databases.killPostgres();
    const child = children.get(part);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start('simulator');
  await Promise.all([start('api'), start('worker')]);
  if (isDoubled) await Promise.all([start('secondApi'), start('secondWorker')]);

  return {
    url,
    balancer,
    /** Each by itself, without the proxy. */
    apiUrls: { api: `http://127.0.0.1:${port}`, secondApi: `http://127.0.0.1:${secondPort}` },
    /** Of keys. */
    dataFolder: folder,
    databaseUrl,
    simulatorUrl: `http://127.0.0.1:${frontPort}`,
    trustFolder: settings.simulator.SIMULATOR_TRUST_FOLDER,
    merchantId: merchant.merchantId,
    secret: merchant.secret,
    start,
    kill,
    /** What starts from now on is of this tree, or of the previous release again. */
    upgrade: () => {
      compile = compileProgram;
    },
    downgrade: () => {
      compile = previous?.compile ?? compileProgram;
    },
    /** SIGSTOP and SIGCONT, as of a machine that hangs. */
    signal: (part: Exclude<Part, 'postgres'>, name: NodeJS.Signals) =>
      children.get(part)?.kill(name),
    /** As a service manager does. Answers its exit code. */
    stop: async (part: Exclude<Part, 'postgres'>): Promise<number | null> => {
      const child = children.get(part);
      if (!child) return null;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    /** Resolves when the program has ended, by its own hand or another's. */
    ended: async (part: 'api' | 'worker'): Promise<void> => {
      const child = children.get(part);
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
    close: async () => {
      await Promise.all([...children.keys()].map(kill));
      await balancer?.close();
      await databases.close();
      await discardFolder(folder);
    },
  };
};

const firstMerchant = async (data: Settings) => {
  const config = readConfig(data);
  const tools = await openTools(config, config.databaseUrl ?? '', 'rig');
  const merchant = await createMerchant(tools, {
    businessName: 'Corner Coffee',
    bankAccounts: testBankAccounts,
  });
  await tools.database.close();
  return { merchantId: merchant.merchantId, secret: merchant.secrets.SANDBOX.secret };
};

const prepareBy = async ({ compile }: PreviousRelease, data: Settings) => {
  const run = async (program: string, ...words: readonly string[]): Promise<string> =>
    (
      await execute(
        process.execPath,
        [await compile(`service/src/programs/${program}`), ...words],
        {
          env: { PATH: process.env.PATH, HOME: process.env.HOME, ...data },
        },
      )
    ).stdout;
  await run('migrate.ts');
  await loadOrCreateMasterKey(data.FLORIN_DATA ?? '');
  const order = { businessName: 'Corner Coffee', bankAccounts: testBankAccounts };
  const made = await run('operate.ts', 'create-merchant', JSON.stringify(order));
  const [, merchantId = ''] = /Merchant ([0-9a-f-]{36})/.exec(made) ?? [];
  const [, secret = ''] = /^Sandbox +(\S+)$/m.exec(made) ?? [];
  return { merchantId, secret };
};

const spawnProgram = (path: string, settings: Settings): ChildProcess =>
  spawn(process.execPath, [path], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });

const isReady = (child: ChildProcess, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} is not ready`)), readyLimitMs);
    const give = (done: () => void) => () => {
      clearTimeout(late);
      done();
    };
    child.once(
      'exit',
      give(() => reject(new Error(`${name} ended before it was ready`))),
    );
    if (child.stdout) createInterface({ input: child.stdout }).once('line', give(resolve));
  });
