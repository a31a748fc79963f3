import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeBundle } from '@florin/dashboard/bundle.ts';
import { openBundle, prebuilt } from '../../service/src/programs/dashboard/open-bundle.ts';
import { checkoutAssets, prebuiltAssets } from '../../web/checkout/src/assets/checkout-assets.ts';
import { compileRelease } from './compile-release.ts';
import { copyPackages, type Package } from './copy-packages.ts';

const run = promisify(execFile);
const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const maxOutputBytes = 64 * 1024 * 1024;

/** What programs read beside themselves, and what an operator reads. */
const shipped = [
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'deploy', 'docs', ':!docs/pictures'],
  ...['service/migrations', 'service/src/programs/docs', ':!*.ts'],
  ...['simulator/migrations', 'simulator/data', 'simulator/README.md'],
];

type Commit = { readonly version: string; readonly commit: string };

export const readCommit = async (): Promise<Commit> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { stdout } = await run('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root });
  return { version, commit: stdout.trim() };
};

/**
 * Programs that need Node and nothing else: compiled, with their packages, the pages' scripts and the
 * dashboard. For the system and processor on which it is made. Answers the paths of what belongs together.
 */
export const makeRelease = async (folder: string): Promise<readonly string[]> => {
  const { version, commit } = await readCommit();
  const name = `florin-${version}`;
  const top = join(folder, name);
  await mkdir(top);
  await copyCommitted(folder, name);
  await compileRelease(top, commit);
  const packages = await copyPackages(root, ['service', 'simulator', 'contract'], top);
  const assets = join(top, prebuiltAssets.slice(root.length));
  await mkdir(dirname(assets), { recursive: true });
  await writeFile(assets, JSON.stringify(checkoutAssets()));
  await mkdir(dirname(join(top, prebuilt)), { recursive: true });
  await writeBundle(join(top, prebuilt), await openBundle());
  await copyFile(join(root, 'tools/release/artefact/florin.mjs'), join(top, 'florin.mjs'));
  await chmod(join(top, 'florin.mjs'), 0o755);
  await writeFile(
    join(top, 'package.json'),
    JSON.stringify({ name: 'florin', version, commit, private: true, type: 'module' }),
  );
  const system = `${process.platform}-${process.arch}`;
  const archive = join(folder, `${name}-${system}.tar.gz`);
  await run('tar', ['-czf', archive, '-C', folder, name]);
  await rm(top, { recursive: true });
  const bill = join(folder, `${name}-${system}.sbom.json`);
  await writeFile(bill, await billOfMaterials(packages));
  return [archive, bill];
};

const copyCommitted = async (folder: string, name: string): Promise<void> => {
  const draft = join(folder, 'committed.tar');
  const words = ['archive', '--format=tar', `--prefix=${name}/`, `--output=${draft}`, 'HEAD', '--'];
  await run('git', [...words, ...shipped], { cwd: root });
  await run('tar', ['-xf', draft, '-C', folder]);
  await rm(draft);
};

/** CycloneDX, as npm writes it, of the packages that are in the archive. */
const billOfMaterials = async (packages: readonly Package[]): Promise<string> => {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', words, { cwd: root, maxBuffer: maxOutputBytes });
  const bill = JSON.parse(stdout);
  const isThere = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const named = (one: {
    readonly group?: string;
    readonly name: string;
    readonly version: string;
  }) => `${one.group ? `${one.group}/` : ''}${one.name}@${one.version}`;
  const components = bill.components.filter((one: Parameters<typeof named>[0]) =>
    isThere.has(named(one)),
  );
  const kept = new Set(components.map((one: { readonly 'bom-ref': string }) => one['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }: { readonly ref: string }) => kept.has(ref))
    .map((one: { readonly ref: string; readonly dependsOn?: readonly string[] }) => ({
      ...one,
      dependsOn: one.dependsOn?.filter((ref) => kept.has(ref)),
    }));
  return JSON.stringify({ ...bill, components, dependencies }, null, 1);
};

/** Writes SHA256SUMS of the files and, with a key, its Ed25519 signature and the public key. */
export const signRelease = async (
  folder: string,
  files: readonly string[],
  privateKeyPem: string | null,
): Promise<readonly string[]> => {
  const lines = await Promise.all(
    files.map(async (file) => {
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${hash}  ${basename(file)}\n`;
    }),
  );
  const sums = join(folder, 'SHA256SUMS');
  await writeFile(sums, lines.join(''));
  if (privateKeyPem === null) return [sums];
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key of a release is Ed25519.');
  await writeFile(`${sums}.sig`, sign(null, Buffer.from(lines.join('')), key));
  const publicKey = join(folder, 'florin-release.pem');
  await writeFile(publicKey, createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return [sums, `${sums}.sig`, publicKey];
};

/** Files that differ from the commit: they would not be in the release, or be there uncommitted. */
export const listUncommitted = async (): Promise<readonly string[]> => {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root });
  return stdout.split('\n').filter((line) => line !== '');
};

/** Moves what was made to where it is wanted. */
export const moveTo = async (
  folder: string,
  files: readonly string[],
): Promise<readonly string[]> =>
  Promise.all(
    files.map(async (file) => {
      const target = join(folder, basename(file));
      await rename(file, target);
      return target;
    }),
  );
