import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './hold-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const marker = join(root, 'node_modules', '.florin-installed.json');
const installed = join(root, 'node_modules', '.package-lock.json');

/**
 * Installs the packages of package-lock.json, unless they are installed. Nothing is removed: a
 * start never removes the packages for tests, and tests add theirs without touching a running
 * server's.
 */
export const installPackages = async ({ withTests }) => {
  if (isInstalled(withTests)) return;
  await holdLock(join(root, '.florin', 'install.lock'), async () => {
    if (isInstalled(withTests)) return;
    const isProgramThere = readState() === 'program';
    console.error(`Installing the packages of ${withTests ? 'Florin and its tests' : 'Florin'} …`);
    const omitFlags = withTests ? [] : ['--omit=dev'];
    // A clean install would remove a running server's packages to add those for tests.
    if (isProgramThere) await runNpm(['install', '--no-save', ...omitFlags]);
    else await runNpm(['ci', ...omitFlags]);
    writeMarker(withTests ? 'all' : 'program');
  });
};

const isInstalled = (withTests) => {
  const state = readState();
  return state === 'all' || (state === 'program' && !withTests);
};

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');

/** 'all', 'program' (without the packages for tests) or 'none', for the lock file as it is now. */
const readState = () => {
  const noted = readJson(marker);
  const isFresh = changedAt(marker) >= changedAt(installed);
  if (isFresh && noted?.lockHash === lockHash()) return noted.holds;
  const found = compareInstalled();
  if (found !== 'none') writeMarker(found);
  return found;
};

/** npm may have been run by hand: its own list of node_modules shows it. */
const compareInstalled = () => {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const present = readJson(installed)?.packages;
  if (!present) return 'none';
  const isThere = ([path, { version, link }]) =>
    present[path] !== undefined && (link || present[path].version === version);
  const needed = Object.entries(wanted).filter(
    ([path, entry]) => path.startsWith('node_modules/') && !entry.optional && !entry.devOptional,
  );
  const isWhole = (entries) => entries.every(isThere);
  if (!isWhole(needed.filter(([, entry]) => !entry.dev))) return 'none';
  return isWhole(needed) ? 'all' : 'program';
};

const writeMarker = (holds) => {
  try {
    writeFileSync(marker, JSON.stringify({ lockHash: lockHash(), holds }));
  } catch {
    // A folder closed to writing is compared again next time.
  }
};

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

const runNpm = (args) => {
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm test in production's environment must still install the packages for tests.
      env: { ...process.env, NODE_ENV: '' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      reject(new Error(`npm ${args.join(' ')} failed:\n${said.trim()}`));
    });
  });
};
