import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packageFolder = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '../..',
);

export type Chromium = {
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** Unpacks the browser once per machine and version; workers that race each make a whole copy. */
export const unpackChromium = async (): Promise<Chromium> => {
  const folder = await findFolder();
  const executablePath = join(folder, 'chromium');
  const fonts = { FONTCONFIG_PATH: join(folder, 'fonts') };
  // A bare Debian lacks four libraries; elsewhere the system's own fit better.
  const { stdout } = await run('ldd', [executablePath]).catch(() => ({ stdout: 'not found' }));
  if (!stdout.includes('not found')) return { executablePath, environment: fonts };
  return {
    executablePath,
    environment: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  };
};

const findFolder = async (): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `florin-chromium-${manifest.version}-${uid}`);
  if (await isOurs(folder, uid)) return folder;
  const draft = await mkdtemp(`${folder}-`);
  await unpackInto(draft);
  await writeFile(join(draft, 'fonts', 'fonts.conf'), describeFonts(folder));
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  if (await isOurs(folder, uid)) return folder;
  throw new Error(`${folder} belongs to somebody else: remove it.`);
};

const isOurs = async (folder: string, uid: number): Promise<boolean> => {
  const found = await lstat(folder).catch(() => undefined);
  return Boolean(found?.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0);
};

// The bundled list of fonts names /tmp/fonts only: without a font all text has no height.
const describeFonts = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

// The package writes into the temporary folder of its process, and unpacks its system libraries
// only when it detects Amazon's machines.
const unpackInto = async (folder: string): Promise<void> => {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const script = `require(${JSON.stringify(entry)}).executablePath()`;
  const environment = {
    ...process.env,
    TMPDIR: folder,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
  };
  await run(process.execPath, ['--eval', script], { env: environment });
};
