import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Toolchain = {
  /** Why Dart cannot run on this system; null where it can. */
  readonly whyNoDart: () => string | null;
  /** Installs what is missing, and answers the program and its first arguments. */
  readonly installDart: () => Promise<readonly string[]>;
};

const program = new URL('../toolchain/install-dart.mjs', import.meta.url);
export const { whyNoDart, installDart }: Toolchain = await import(program.href);

export const sdkFolder = fileURLToPath(new URL('..', import.meta.url));
const builds = join(sdkFolder, 'toolchain', '.florin', 'builds');

type DartRun = { readonly code: number; readonly said: string };

const start = async (args: readonly string[]): Promise<ChildProcess> => {
  const [program = '', ...first] = await installDart();
  return spawn(program, [...first, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
};

const finish = (child: ChildProcess): Promise<DartRun> =>
  new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        said += chunk;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, said }));
  });

export const runDart = async (args: readonly string[]): Promise<DartRun> =>
  finish(await start(args));

/** The packages of the SDK and the doubles of those that only Flutter has. */
const packages = [
  ['florin_core', 'dart'],
  ['florin', 'flutter'],
  ['florin_example', 'flutter/example'],
  ['flutter', 'flutter/test/doubles/flutter'],
  ['url_launcher', 'flutter/test/doubles/url_launcher'],
  ['webview_flutter', 'flutter/test/doubles/webview_flutter'],
] as const;

/** Each package is read as the language that its pubspec promises. */
const languageVersion = '3.7';

export const writePackageConfig = async (): Promise<string> => {
  await mkdir(builds, { recursive: true });
  const config = {
    configVersion: 2,
    packages: packages.map(([name, folder]) => ({
      name,
      rootUri: pathToFileURL(`${join(sdkFolder, folder)}/`).href,
      packageUri: 'lib/',
      languageVersion,
    })),
  };
  const path = join(builds, 'package_config.json');
  const draft = `${path}.${process.pid}-${performance.now()}`;
  await writeFile(draft, JSON.stringify(config));
  await rename(draft, path);
  return path;
};

const listDart = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.dart') && !name.includes('node_modules')).sort();
};

const hashSources = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const name of await listDart(sdkFolder))
    hash.update(name).update(await readFile(join(sdkFolder, name)));
  return hash.digest('hex').slice(0, 16);
};

let building: Promise<string> | undefined;

/** Every program and test in one: compiling is most of the time, and happens once for each change. */
export const buildPrograms = (): Promise<string> => {
  building ??= build();
  return building;
};

const build = async (): Promise<string> => {
  const built = join(builds, `programs-${await hashSources()}.dill`);
  if (existsSync(built)) return built;
  const draft = `${built}.${process.pid}-${performance.now()}`;
  const config = await writePackageConfig();
  const entry = join(sdkFolder, 'test', 'programs', 'main.dart');
  const args = [`--packages=${config}`, `--snapshot=${draft}`, '--snapshot-kind=kernel', entry];
  const { code, said } = await runDart(args);
  if (code !== 0) throw new Error(`Dart does not compile:\n${said}`);
  await rename(draft, built);
  return built;
};

export const runProgram = async (name: string, args: readonly string[] = []): Promise<DartRun> =>
  runDart(['--enable-asserts', await buildPrograms(), name, ...args]);

export type DartProgram = {
  /** The next line of JSON that it writes. */
  readonly next: () => Promise<Readonly<Record<string, unknown>>>;
  readonly tell: (line: object) => void;
  readonly end: () => Promise<DartRun>;
};

/** A program that writes and reads JSON, a line each. */
export const startProgram = async (
  name: string,
  args: readonly string[] = [],
): Promise<DartProgram> => {
  const child = await start(['--enable-asserts', await buildPrograms(), name, ...args]);
  const ended = finish(child);
  if (!child.stdout) throw new Error('the program has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`the program ended: ${(await ended).said.slice(-2_000)}`);
    return value.startsWith('{') ? JSON.parse(value) : next();
  };
  return {
    next,
    tell: (line) => child.stdin?.write(`${JSON.stringify(line)}\n`),
    end: () => {
      child.stdin?.end();
      return ended;
    },
  };
};
