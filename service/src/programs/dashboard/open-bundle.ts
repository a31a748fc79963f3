import { spawn } from 'node:child_process';
import { access, constants, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bundle, hashSources, readBundle } from '@florin/dashboard/bundle.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'florin-dashboard');

/** The built dashboard: of the release, from the cache, or built now and cached. Once in a process. */
export const openBundle = (): Promise<Bundle> => {
  opened ??= open();
  return opened;
};

let opened: Promise<Bundle> | null = null;

/** Where a release has the bundle, below the root; in a clone it is never there. */
export const prebuilt = 'web/dashboard/prebuilt';

const open = async (): Promise<Bundle> => {
  const released = await readBundle(join(root, prebuilt));
  if (released) return released;
  const hash = await hashSources();
  const cached = await readBundle(join(cache, hash));
  if (cached) return cached;
  const folder = join(await findWritable(), hash);
  await makeBundle(folder);
  const made = await readBundle(folder);
  if (!made) throw new Error(`The bundle in ${folder} is not whole.`);
  return made;
};

/** An installation may be closed to writing: then each process builds for itself. */
const findWritable = async (): Promise<string> => {
  try {
    await mkdir(cache, { recursive: true });
    await access(cache, constants.W_OK);
    return cache;
  } catch {
    return mkdtemp(join(tmpdir(), 'florin-dashboard-'));
  }
};

const makeBundle = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('tools', 'make-dashboard.mjs'), folder], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      // React and its friends have a slow and large form for development.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(said.trim() || `The bundler ended with ${code}.`));
    });
  });
