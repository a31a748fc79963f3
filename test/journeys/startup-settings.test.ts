import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../service/src/programs/', import.meta.url));
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
  const child = spawn(process.execPath, ['--import', 'tsx', join(program, `${name}.ts`)], {
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

const nowhere = 'postgresql://florin:a-password@127.0.0.1:1/florin';

describe('a program that cannot start names the wrong setting', () => {
  test.concurrent.each<readonly [program: string, named: string, settings: () => Settings]>([
    ['start', 'PORT', () => ({ PORT: 'http' })],
    ['start', 'PORT', () => ({ PORT: String(takenPort) })],
    ['start', 'HOST', () => ({ HOST: '192.0.2.1', PORT: '0' })],
    ['start', 'FLORIN_DATA', () => ({ FLORIN_DATA: '/proc/florin', PORT: '0' })],
    ['start', 'FLORIN_DATA', () => ({ FLORIN_DATA: '/dev/null/florin', PORT: '0' })],
    ['start', 'SIMULATOR_DATABASE_URL', () => ({ SIMULATOR_DATABASE_URL: 'sqlite:x', PORT: '0' })],
    ['start', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere, PORT: '0' })],
    ['api', 'DATABASE_URL', () => ({})],
    ['api', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
    ['worker', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
    ['migrate', 'DATABASE_URL', () => ({ DATABASE_URL: nowhere })],
  ])('%s: %s', { timeout: 90_000 }, async (name, named, settings) => {
    const { code, said } = await run(name, settings());
    expect(said).toMatch(new RegExp(`^${named} [^\n]+\n$`));
    expect(said).not.toContain('a-password');
    expect(code).toBe(1);
  });
});
