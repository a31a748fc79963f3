import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** With BENCH_CHECKOUT set, another checkout's product is measured (`npm run bench compare`). */
const thisCheckout =
  process.env.BENCH_CHECKOUT ?? fileURLToPath(new URL('../../..', import.meta.url));
const countsCalls = new URL('count-calls.mjs', import.meta.url).href;

export type Product = {
  readonly pid: number;
  readonly folder: string;
  readonly databasePid: number;
  readonly socketFolder: string;
  readonly port: number;
  readonly demo: { readonly sandboxSecret: string; readonly merchantId: string };
  /** So far; only of a product that counts. */
  readonly counts: () => Promise<CallCounts>;
  readonly stop: () => Promise<void>;
};

export type CallCounts = Readonly<
  Record<'signatures' | 'verifications' | 'databaseRounds' | 'databaseBytes', number>
> & { readonly calls: Readonly<Record<string, number>> };

/** With PROFILE_FOLDER set, what its CPU was spent on is written there at the end. */
const profiling = (): readonly string[] => {
  const folder = process.env.PROFILE_FOLDER;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
};

type OwnDatabase = { readonly pid: number; readonly socketFolder: string };

/** The product exactly as `npm start` runs it, with its data in a temporary folder. */
export const startProduct = async (
  settings: Readonly<Record<string, string>> = {},
  /** Where `DATABASE_URL` leads to a server of the benchmark. */
  ownDatabase?: OwnDatabase,
  counting = false,
): Promise<Product> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const counter = counting ? ['--import', countsCalls] : [];
  const child = spawn(process.execPath, [...profiling(), ...counter, 'tools/start.mjs'], {
    cwd: thisCheckout,
    env: { ...process.env, FLORIN_DATA: folder, PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit', ...(counting ? (['ipc'] as const) : [])],
  });
  const url = await readyUrl(child);
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as Product['demo'];
  const database = ownDatabase ?? (await readOwnDatabase(folder));
  return {
    pid: child.pid ?? 0,
    folder,
    databasePid: database.pid,
    socketFolder: database.socketFolder,
    port: Number(new URL(url).port),
    demo,
    counts: () => {
      const answer = new Promise<CallCounts>((resolve) =>
        child.once('message', (message) => resolve(message as CallCounts)),
      );
      child.send('counts');
      return answer;
    },
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const readOwnDatabase = async (folder: string): Promise<OwnDatabase> => {
  const pidFile = join(await dataFolder(folder), 'postmaster.pid');
  const [pid = '', , , , socketFolder = ''] = (await readFile(pidFile, 'utf8')).split('\n');
  return { pid: Number(pid), socketFolder };
};

/** Under a closed home the database lives elsewhere, and the folder points there. */
const dataFolder = async (folder: string): Promise<string> => {
  const near = join(folder, 'postgres', 'data');
  const far = join(folder, 'postgres', 'elsewhere', 'data');
  return readFile(join(far, 'PG_VERSION')).then(
    () => far,
    () => near,
  );
};

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the product did not start')));
    if (!child.stdout) return reject(new Error('the product has no output'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^Florin is ready at (\S+)/.exec(line);
      if (ready?.[1]) resolve(ready[1]);
    });
  });
