import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readFences } from './read-fences.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const stepWithinMs = 120_000;

type Watched = { readonly child: ChildProcess; readonly text: () => string };

/** Follows the README word by word in a clean clone, and measures how long each step takes. */
const followReadme = async (folder: string): Promise<void> => {
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder]);
  const install = seconds();
  await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder });
  print('install', install());
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [start = '', ...byHand] = readFences(section(readme, 'Start'), 'sh');
  const total = seconds();
  const product = open(folder, `exec ${start}`);
  try {
    await until(product, /Florin is ready at/, 'ready', total);
    const terminal = open(folder, byHand.map(announced).join('\n').concat('\nwait\n'));
    try {
      await until(terminal, /created \S{36}/, 'first payment', total);
      await until(terminal, /"status":"COMPLETED"/, 'paid', total);
      await until(terminal, /verified .*"status":"COMPLETED"/, 'webhook verified', total);
    } finally {
      await stop(terminal);
    }
  } finally {
    await stop(product);
  }
};

/** The README shows no id that was created: we want to see when it is there. */
const announced = (fence: string): string =>
  fence.includes('export ID=') ? `${fence}\necho "created $ID"` : fence;

const section = (text: string, title: string): string =>
  text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

/** In a group of its own, so that what it starts in the background ends with it. */
const open = (folder: string, script: string): Watched => {
  const child = spawn('bash', ['-ec', script], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  return { child, text: () => text };
};

const until = async (
  { child, text }: Watched,
  wanted: RegExp,
  name: string,
  total: () => number,
): Promise<void> => {
  const signal = AbortSignal.timeout(stepWithinMs);
  while (!wanted.test(text())) {
    if (child.exitCode !== null) throw new Error(`the terminal ended before "${name}"`);
    await once(child.stdout ?? child, 'data', { signal });
  }
  print(name, total());
};

const stop = async ({ child }: Watched): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
};

const seconds = (): (() => number) => {
  const begin = performance.now();
  return () => (performance.now() - begin) / 1000;
};

const print = (name: string, after: number): void => {
  process.stdout.write(`${name.padEnd(18)}${after.toFixed(1)} s\n`);
};

const folder = await mkdtemp(join(tmpdir(), 'florin-newcomer-'));
try {
  await followReadme(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
