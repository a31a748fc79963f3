import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './hold-lock.mjs';
import { runProgram } from './run-program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const marker = join(root, 'node_modules', '.florin-installed.json');
const installed = join(root, 'node_modules', '.package-lock.json');

/** Each with what stands before it: what has to be installed, and how npm is told. */
const parts = {
  none: null,
  program: { title: 'Florin', flags: ['--omit=dev'] },
  dashboard: { title: 'the dashboard', flags: ['--workspace=web/dashboard'] },
  all: { title: 'Florin and its tests', flags: [] },
};
const order = Object.keys(parts);

/**
 * Installs a part of the packages of package-lock.json, unless it is installed. Nothing is removed: a
 * start never removes the packages for tests, and tests add theirs without touching a running server's.
 */
export const installPackages = async (part) => {
  if (isInstalled(part)) return;
  await holdLock(join(root, '.florin', 'install.lock'), async () => {
    if (isInstalled(part)) return;
    const { title, flags } = parts[part];
    console.error(`Installing the packages of ${title} …`);
    // A clean install would remove a running server's packages to add others.
    if (isInstalled('program')) await runNpm(['install', '--no-save', ...flags]);
    else await runNpm(['ci', ...flags]);
    writeMarker(part);
  });
};

const isInstalled = (part) => order.indexOf(readState()) >= order.indexOf(part);

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');

/** The last part that is there, for the lock file as it is now. */
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

const runNpm = async (args) => {
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  // npm test in production's environment must still install the packages for tests.
  const options = { cwd: root, env: { ...process.env, NODE_ENV: '' } };
  const { isGreen, said } = await runProgram(program, [...first, ...args], options);
  if (!isGreen) throw new Error(`npm ${args.join(' ')} failed:\n${said}`);
};
