import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from '../../tools/hold-lock.mjs';
import { runProgram } from '../../tools/run-program.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dart = join(folder, 'node_modules/sass-embedded-linux-ia32/dart-sass/src/dart');
const libraries = join(folder, 'libc6-i386');

/** Why Dart cannot run on this system; null where it can. */
export const whyNoDart = () =>
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : `The Dart tests of the SDK run on Linux x64 only; this is ${process.platform} ${process.arch}.`;

/** Installs what is missing, and answers the program and its first arguments. */
export const installDart = async () => {
  const why = whyNoDart();
  if (why) throw new Error(why);
  await holdLock(join(folder, '.florin', 'install.lock'), async () => {
    if (!existsSync(dart)) await installCompiler();
    if (!findLoader()) await unpackLibraries();
  });
  const loader = findLoader();
  return [loader, '--library-path', join(loader, '..'), dart];
};

// npm picks the archive by processor: this folder has a lock file of its own, so that nothing else does.
const installCompiler = async () => {
  process.stderr.write('Installing the Dart compiler for the tests of the SDK …\n');
  const args = ['ci', '--cpu=ia32', '--os=linux', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', args, folder);
  if (!existsSync(dart)) throw new Error(`npm ${args.join(' ')} brought no ${dart}`);
};

const findLoader = () =>
  ['lib32', 'usr/lib32']
    .map((part) => join(libraries, part, 'ld-linux.so.2'))
    .find((path) => existsSync(path));

/** The compiler is a program of 32 bits: its C library is unpacked here, which needs no root. */
const unpackLibraries = async () => {
  const draft = `${libraries}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(draft, 'cache', 'archives', 'partial'), { recursive: true });
  try {
    await downloadLibraries(draft);
    const archive = readdirSync(draft).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get downloaded nothing');
    await run('dpkg-deb', ['-x', archive, 'unpacked'], draft);
  } catch (error) {
    throw new Error(
      `The Dart tests need the 32-bit C library of Debian or Ubuntu (libc6-i386): ${error.message}`,
    );
  }
  rmSync(libraries, { recursive: true, force: true });
  renameSync(join(draft, 'unpacked'), libraries);
  rmSync(draft, { recursive: true, force: true });
};

/** apt checks the archive against the signed index; a system without an index gets one of its own. */
const downloadLibraries = async (draft) => {
  const ownLists = [`Dir::State::Lists=${draft}/lists`, `Dir::Cache=${draft}/cache`];
  const own = ownLists.flatMap((option) => ['-o', option]);
  try {
    await run('apt-get', ['download', 'libc6-i386'], draft);
  } catch {
    await run('apt-get', [...own, 'update'], draft);
    await run('apt-get', [...own, 'download', 'libc6-i386'], draft);
  }
};

const run = async (program, args, cwd) => {
  const { isGreen, said } = await runProgram(program, args, { cwd });
  if (!isGreen) throw new Error(`${program} ${args.join(' ')} failed:\n${said}`);
};
