import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { openEmptyDatabase, openTestDatabase } from '../harness/database/open-test-database.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { longTest } from '../harness/long-test.ts';
import { compileProgram } from '../harness/programs/compile-program.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { waitUntil } from '../harness/wait-until.ts';

const start = fileURLToPath(new URL('../../service/src/programs/start.ts', import.meta.url));
// The long run starts it from its sources, as `npm start` does: twelve seconds of CPU.
const startProgram = async (): Promise<readonly string[]> =>
  isLongRun ? ['--import', 'tsx', start] : [await compileProgram('service/src/programs/start.ts')];
const listener = createServer();
let folder: string;
let takenPort: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-bad-settings-'));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  takenPort = (listener.address() as { port: number }).port;
});
afterAll(async () => {
  listener.close();
  await rm(folder, { recursive: true });
});

type Settings = Readonly<Record<string, string>>;

const run = async (name: string, settings: Settings) => {
  const compiled = await compileProgram(`service/src/programs/${name}.ts`);
  const child = spawn(process.execPath, [compiled], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, FLORIN_DATA: folder, ...settings },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, said };
};

const startAll = async () => {
  const [database, simulatorDatabase] = await Promise.all([
    openTestDatabase(),
    openEmptyDatabase(),
  ]);
  const proxy = await openCuttingProxy();
  proxy.hold();
  const data = join(folder, 'ready');
  const [port, apiPort] = [await findTestPort(), await findTestPort()];
  const settings = {
    FLORIN_DATA: data,
    DATABASE_URL: database.url,
    SIMULATOR_DATABASE_URL: await proxy.connectThrough(simulatorDatabase.url),
  };
  const children: ChildProcess[] = [];
  let said = '';
  const launch = (program: readonly string[], ownPort: number, log: Settings): void => {
    const child = spawn(process.execPath, program, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(ownPort),
        ...settings,
        ...log,
      },
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    children.push(child);
  };
  launch(await startProgram(), port, { LOG_FORMAT: 'text' });
  return {
    url: `http://127.0.0.1:${port}`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    /** The API that runs apart, beside it on the same database. */
    startApi: async () =>
      launch([await compileProgram('service/src/programs/api.ts')], apiPort, {
        LOG_LEVEL: 'silent',
      }),
    /** The simulator gets its database only then. */
    startSimulator: proxy.release,
    /** To the person at the terminal. */
    said: () => said,
    log: () => readFile(join(data, 'florin.log'), 'utf8'),
    secret: async () =>
      JSON.parse(await readFile(join(data, 'demo.json'), 'utf8')).sandboxSecret as string,
    stop: async () => {
      for (const child of children) {
        const ended = once(child, 'close');
        child.kill('SIGTERM');
        await ended;
      }
      await proxy.close();
      await Promise.all([database.close(), simulatorDatabase.close()]);
    },
  };
};

const nowhere = 'postgresql://florin:a-password@127.0.0.1:1/florin';

describe('a program that cannot start names the wrong setting', () => {
  type Case = readonly [program: string, named: string, settings: () => Settings];
  const representatives: readonly Case[] = [
    ['start', 'PORT', () => ({ PORT: String(takenPort) })],
    ['worker', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
  ];
  const more: readonly Case[] = [
    ['start', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere, PORT: '0' })],
    ['start', 'PORT', () => ({ PORT: 'http' })],
    ['start', 'FLORIN_DATA', () => ({ FLORIN_DATA: '/proc/florin', PORT: '0' })],
    ['api', 'DATABASE_URL', () => ({})],
    ['start', 'HOST', () => ({ HOST: '192.0.2.1', PORT: '0' })],
    ['start', 'FLORIN_DATA', () => ({ FLORIN_DATA: '/dev/null/florin', PORT: '0' })],
    ['start', 'SIMULATOR_DATABASE_URL', () => ({ SIMULATOR_DATABASE_URL: 'sqlite:x', PORT: '0' })],
    ['api', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
    ['migrate', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
  ];
  test.concurrent.each(isLongRun ? [...representatives, ...more] : representatives)(
    '%s: %s',
    { timeout: 90_000 },
    async (name, named, settings) => {
      const { code, said } = await run(name, settings());
      // Before it the log's line that says which version starts.
      expect(said).toMatch(new RegExp(`^(\\{.*"msg":"starting"\\}\n)?${named} [^\n]+\n$`));
      expect(said).not.toContain('a-password');
      expect(code).toBe(1);
    },
  );
});

test('what no setting is at fault for is said without one', async () => {
  const empty = await openEmptyDatabase();
  const { code, said } = await run('worker', { DATABASE_URL: empty.url });
  await empty.close();
  expect(said).toMatch(/run migrate\.ts first\.\n$/);
  expect(said).not.toContain('DATABASE_URL');
  expect(code).toBe(1);
});

describe('npm start', () => {
  test('is ready when its banks and its card processor take payments', async () => {
    const started = await startAll();
    try {
      const answers = (path: string, wanted: number) =>
        waitUntil(async () => (await fetch(`${started.url}${path}`)).status === wanted, {
          withinMs: 60_000,
        });
      await answers('/health/live', 200);
      await answers('/health/ready', 503);
      started.startSimulator();
      await answers('/health/ready', 200);
      const authorization = `Bearer ${await started.secret()}`;
      const post = async (path: string, body: object) => {
        const headers = { authorization, 'content-type': 'application/json' };
        const text = JSON.stringify(body);
        const reply = await fetch(`${started.url}${path}`, { method: 'POST', headers, body: text });
        return { status: reply.status, body: (await reply.json()) as Record<string, string> };
      };
      const pay = async (orderId: string, how: object) => {
        const order = { customerId: 'c', orderId, amount: 12.5 };
        const made = await post('/api/payments/process-payment', order);
        const path = `/api/sandbox/payment-requests/${made.body.paymentRequestId}/pay`;
        return (await post(path, how)).status;
      };
      // A web client on another port of this machine works with the secret that is printed.
      const banks = '/api/sdk-payment/institutions/customer?env=sandbox';
      for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) {
        const preflight = { 'access-control-request-method': 'GET', origin };
        const granted = await fetch(`${started.url}${banks}`, {
          method: 'OPTIONS',
          headers: preflight,
        });
        const reply = await fetch(`${started.url}${banks}`, { headers: { origin } });
        for (const { headers } of [granted, reply])
          expect(headers.get('access-control-allow-origin')).toBe(origin);
      }
      const card = { method: 'CARD', cardNumber: '4242424242424242' };
      expect(await Promise.all([pay('bank', {}), pay('card', card)])).toEqual([200, 200]);
      expect(await started.log()).toMatch(/^\{"level":30,.*"msg":"bank answered"\}$/m);
      expect(started.said()).not.toMatch(/^\{/m);
      const home = await fetch(started.url, { headers: { accept: 'text/html' } });
      expect(await home.text()).toContain(await started.secret());
    } finally {
      await started.stop();
    }
  });

  longTest(
    'has no limits of requests, as an API apart has',
    async () => {
      const started = await startAll();
      try {
        started.startSimulator();
        const isReady = async () => (await fetch(`${started.url}/health/ready`)).status === 200;
        await waitUntil(isReady, { withinMs: 60_000 });
        await started.startApi();
        await waitUntil(async () => (await fetch(`${started.apiUrl}/health/live`)).status === 200, {
          withinMs: 60_000,
        });
        // The front page is of the start alone; an API apart has a map, for browsers too.
        const asBrowser = { headers: { accept: 'text/html' } };
        const map = await fetch(started.apiUrl, asBrowser);
        expect(await map.json()).toMatchObject({ name: 'Florin', openapi: '/openapi.json' });
        expect((await fetch(`${started.apiUrl}/home/recent`)).status).toBe(404);
        const statusesOf = (url: string) =>
          Promise.all(
            Array.from({ length: 200 }, async () => (await fetch(`${url}/p/nothing`)).status),
          );
        expect(await statusesOf(started.url)).not.toContain(429);
        expect(await statusesOf(started.apiUrl)).toContain(429);
      } finally {
        await started.stop();
      }
    },
    90_000,
  );
});
