import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../service/src/platform/log.ts';
import { cpuSeconds } from '../../../tools/bench/setup/cpu-seconds.ts';
import { readFences } from '../../../tools/read-fences.ts';
import { makeRelease, readCommit, signRelease } from '../../../tools/release/make-release.ts';
import { makeServerFolder } from '../../harness/database/make-server-folder.ts';
import { startTestPostgres } from '../../harness/database/start-test-postgres.ts';
import { discardFolder } from '../../harness/discard-folder.ts';
import { findTestPort } from '../../harness/programs/find-test-port.ts';
import { writeBanksFile } from '../../harness/simulator/write-banks-file.ts';

const run = promisify(execFile);
const guide = fileURLToPath(new URL('../../../docs/guides/going-live.md', import.meta.url));
const maxInstalledBytes = 80_000_000;
/** Of a program that has just started, in megabytes as `systemctl status` shows them. */
const maxResidentBytes = 120 * 2 ** 20;
/** Of one core, whatever this machine does beside it. */
const maxSecondsToReady = 2;

let folder: string;
let made: readonly string[];
let signed: readonly string[];
let server: Awaited<ReturnType<typeof startTestPostgres>>;
let serverFolder: string;
const children: ChildProcess[] = [];
const keys = generateKeyPairSync('ed25519');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-live-'));
  for (const name of ['opt', 'etc', 'units', 'data']) await mkdir(join(folder, name));
  serverFolder = await makeServerFolder('florin-live-');
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
  server = await startTestPostgres({ folder: serverFolder, settings, log: silentLog });
  made = await makeRelease(folder);
  const pem = String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  signed = await signRelease(folder, made, pem);
}, 240_000);
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  await server.stop();
  await discardFolder(serverFolder);
  // The documentation and the simulator in it name the cards of the sandbox.
  await rm(join(folder, 'opt'), { recursive: true });
  await discardFolder(folder);
}, 120_000);

/** Starts a program as its unit does, and answers what it says once it is ready. */
const start = async (
  program: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly pid: number }> => {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'error', ...settings };
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line);
    if (said.ready) return { ...said, pid: child.pid };
  }
  throw new Error(`${words.join(' ')} ended before it was ready.`);
};

/** What its [Service] says, with the instance after the @. */
const readUnit = async (name: string, instance: string) => {
  const text = await readFile(join(folder, 'units', `${name}@.service`), 'utf8');
  const all = (key: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const [executed = ''] = all('ExecStart');
  const environment = all('Environment').map((each) => each.replace('%i', instance).split('='));
  return {
    text,
    executed,
    environment: Object.fromEntries(environment),
    files: all('EnvironmentFile'),
  };
};

/** As systemd reads such a file. */
const readEnvironmentFile = async (path: string): Promise<Record<string, string>> => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.replace(/^\w+=/, '')]));
};

const startUnit = async (name: string, port: number) => {
  const unit = await readUnit(name, String(port));
  expect(unit.files).toEqual(['/etc/florin/florin.env']);
  expect(unit.executed).toMatch(
    /^\/usr\/bin\/node --\S+=\d+ \/opt\/florin\/florin\.mjs (api|worker)$/,
  );
  const words = unit.executed.replace('/opt/', `${folder}/opt/`).split(' ').slice(1);
  const settings = await readEnvironmentFile(join(folder, 'etc', 'florin', 'florin.env'));
  const started = await start(process.execPath, words, { ...settings, ...unit.environment });
  expect(cpuSeconds(started.pid, false), name).toBeLessThan(maxSecondsToReady);
  return started;
};

const residentBytes = async (pid: number): Promise<number> => {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

/** A line of the guide on this machine: below the test's folder, and without what only root may do. */
const execute = async (line: string, more: Readonly<Record<string, string>> = {}) => {
  let command = line
    .replaceAll('/opt', `${folder}/opt`)
    .replaceAll('/etc/florin', `${folder}/etc/florin`)
    .replaceAll('/etc/systemd/system/', `${folder}/units/`)
    .replace(/^chgrp \S+ \S+ \S+ && |^runuser -u florin -- /, '');
  for (const [from, to] of Object.entries(more)) command = command.replace(from, to);
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home') };
  return (await run('sh', ['-ec', command], { cwd: folder, env })).stdout;
};

describe('a release', () => {
  test('is signed: sums of the archive and of the list of its packages', async () => {
    const [sums = '', signature = ''] = signed;
    const text = await readFile(sums);
    expect(verify(null, text, keys.publicKey, await readFile(signature))).toBe(true);
    expect(verify(null, Buffer.from(`${text} `), keys.publicKey, await readFile(signature))).toBe(
      false,
    );
    const listed = await Promise.all(
      made.map(async (file) => {
        const hash = createHash('sha256')
          .update(await readFile(file))
          .digest('hex');
        return `${hash}  ${basename(file)}\n`;
      }),
    );
    expect(String(text)).toBe(listed.join(''));
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const pem = String(rsa.export({ type: 'pkcs8', format: 'pem' }));
    await expect(signRelease(folder, [], pem)).rejects.toThrow('Ed25519');
    await signRelease(
      folder,
      made,
      String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    );
  });

  test('lists the packages that it holds, and holds those that it lists', async () => {
    const bill = JSON.parse(await readFile(made[1] ?? '', 'utf8'));
    const names = bill.components.map((one: { group?: string; name: string }) =>
      one.group ? `${one.group}/${one.name}` : one.name,
    );
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', '@better-auth/passkey']));
    for (const absent of ['esbuild', 'tsx', 'vitest', 'vite', 'react', 'typescript'])
      expect(names).not.toContain(absent);
    expect(bill.bomFormat).toBe('CycloneDX');
  });
});

test('ten commands lead from the archive to a production secret that answers', async () => {
  const [fence = ''] = readFences(await readFile(guide, 'utf8'), 'sh');
  const lines = fence.split('\n');
  expect(lines).toHaveLength(10);
  const [, unpack = '', , setUp = '', units = '', enable = '', , doctor = ''] = lines;
  const [createMerchant = '', inviteOwner = ''] = lines.slice(8);
  const admin = server.connectionString('postgres');

  await execute(unpack);
  const top = join(folder, 'opt', (await readdir(join(folder, 'opt')))[1] ?? '');
  expect(await sizeOf(top)).toBeLessThan(maxInstalledBytes);
  const shown = /ADMIN_DATABASE_URL='([^']+)'/.exec(setUp)?.[1] ?? '';
  for (const wish of [/^[1-9]\d* migrations applied/, /^0 migrations applied/])
    expect(await execute(setUp, { [shown]: admin })).toMatch(wish);
  const ofPrograms = ['master-key', 'database-url', 'metrics-token', 'florin.env'];
  for (const name of ofPrograms)
    expect((await stat(join(folder, 'etc', 'florin', name))).mode & 0o777).toBe(0o640);
  expect((await stat(join(folder, 'etc', 'florin', 'owner-url'))).mode & 0o777).toBe(0o600);
  await passwordsFromNowOn();
  await execute(units);

  // What is the operator's own: banks, here those of the simulator, and ports and folders of this machine.
  const trust = join(folder, 'data', 'trust');
  const [port, apiPort, workerPort] = await Promise.all([1, 2, 3].map(() => findTestPort()));
  await startSimulator(join(top, 'florin.mjs'), trust, Number(port));
  await writeBanksFile(trust, join(folder, 'etc', 'florin', 'banks.json'));
  const settings = join(folder, 'etc', 'florin', 'florin.env');
  await writeFile(
    settings,
    (await readFile(settings, 'utf8'))
      .replace('/var/lib/florin', join(folder, 'data'))
      .replace('#PRODUCTION_BANK_RAIL', 'PRODUCTION_BANK_RAIL')
      .replace('#PRODUCTION_COLLECTING_ACCOUNT', 'PRODUCTION_COLLECTING_ACCOUNT'),
  );
  await appendFile(settings, 'SHUTDOWN_NOTICE_MS=0\n');

  expect(enable).toMatch(/^systemctl enable --now florin-api@\d+ .*florin-worker@\d+/);
  const { url, pid } = await startUnit('florin-api', Number(apiPort));
  const worker = await startUnit('florin-worker', Number(workerPort));
  expect(url).toBe('https://pay.example.com');
  for (const each of [pid, worker.pid])
    expect(await residentBytes(each)).toBeLessThan(maxResidentBytes);
  const here = `http://127.0.0.1:${apiPort}`;
  await expect(execute('/opt/florin/florin.mjs --env /etc/florin/none doctor')).rejects.toThrow(
    /^Command failed: .*\n--env: \S+none is no file that this account can read\.\n$/,
  );
  // As who the programs are: what they cannot read is a fault.
  expect(doctor).toMatch(/^runuser -u florin -- /);
  expect(await execute(doctor)).toContain('0 faults');

  const created = await execute(createMerchant);
  const [, merchantId = ''] = /Merchant ([0-9a-f-]{36})/.exec(created) ?? [];
  const [, secret = ''] = /^Production +(\S+)$/m.exec(created) ?? [];
  const invited = await execute(inviteOwner, { '<merchantId>': merchantId });
  expect(invited).toContain('https://pay.example.com/dashboard/');

  const live = (await (await fetch(`${here}/health/live`)).json()) as Record<string, string>;
  expect(live).toEqual({ live: true, ...(await readCommit()) });
  const token = await readFile(join(folder, 'etc', 'florin', 'metrics-token'), 'utf8');
  const headers = { authorization: `Bearer ${token.trim()}` };
  const metrics = await (await fetch(`${here}/metrics`, { headers })).text();
  expect(metrics).toMatch(new RegExp(`^florin_build_info\\{.*${live.commit}.*\\} 1$`, 'm'));
  const ready = await fetch(`http://127.0.0.1:${workerPort}/health/ready`);
  expect(await ready.json()).toEqual({ ready: true });
  const answered = await fetch(`${here}/api/payments/process-payment`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customerId: 'c', orderId: 'o', amount: 12.5 }),
  });
  const payment = (await answered.json()) as Record<string, string>;
  expect([answered.status, payment.paymentUrl]).toEqual([
    200,
    expect.stringMatching(/^https:\/\/pay\.example\.com\/pay\?/),
  ]);
  const page = await fetch(String(payment.paymentUrl).replace('https://pay.example.com', here));
  expect(await page.text()).toContain('Corner Coffee');
  const dashboard = await fetch(`${here}/dashboard`);
  expect(await dashboard.text()).toContain('Code from your authenticator app');
  const image = await fetch(`${here}/receipt-payment-qr-codes/${payment.paymentRequestId}.png`);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  const docs = await fetch(`${here}/docs/guides/going-live`);
  expect(await docs.text()).toContain('Ten commands');
}, 240_000);

/** Locally this server lets everybody in: from here on the two roles need the passwords of their files. */
const passwordsFromNowOn = async (): Promise<void> => {
  const [data = ''] = await findFiles(serverFolder, 'pg_hba.conf');
  const rules = await readFile(data, 'utf8');
  await writeFile(data, `local all florin_owner,florin_program scram-sha-256\n${rules}`);
  const client = new pg.Client({ connectionString: server.connectionString('postgres') });
  await client.connect();
  await client.query('select pg_reload_conf()');
  await client.end();
};

const findFiles = async (top: string, name: string): Promise<readonly string[]> =>
  (await readdir(top, { recursive: true }))
    .filter((path) => basename(path) === name)
    .map((path) => join(top, path));

const startSimulator = async (program: string, trust: string, port: number): Promise<void> => {
  await start(process.execPath, [program, 'simulator'], {
    SIMULATOR_PORT: String(port),
    SIMULATOR_MTLS_PORT: '0',
    SIMULATOR_DATABASE_URL: server.connectionString('postgres'),
    SIMULATOR_TRUST_FOLDER: trust,
    SIMULATOR_REDIRECT_URIS:
      'https://pay.example.com/bank-return,https://pay.example.com/bank-link-return',
  });
};

/** As the disk counts it, in whole blocks: 7,000 small files take a third more than their bytes. */
const sizeOf = async (top: string): Promise<number> => {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).blocks * 512),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};
