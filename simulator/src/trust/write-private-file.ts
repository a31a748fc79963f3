import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

// Written beside and renamed, so that a reader or a crash never sees half a file.
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
};
