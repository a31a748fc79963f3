import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { masterKeyBytes } from './open-secrets.ts';

/**
 * The key of an installation that configures none: created once, then read at every start. The file
 * appears whole or not at all, and of two programs that start together the second reads the
 * first's.
 */
export const loadOrCreateMasterKey = async (folder: string): Promise<Buffer> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'master-key');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    return await readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(masterKeyBytes).toString('base64')}\n`);
    await file.sync();
    await link(draft, path);
    await chmod(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
  return readKey(path);
};

const readKey = async (path: string): Promise<Buffer> => {
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
  if (key.length !== masterKeyBytes) throw new Error(`${path} does not hold a key of 32 bytes`);
  return key;
};
