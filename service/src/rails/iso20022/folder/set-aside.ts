import { isCode } from './file-system.ts';
import type { Folders } from './folders.ts';
import { marksWithoutContent, referenceOf } from './read-incoming.ts';

/** Moves a file out of the incoming folder. One that has gone, or is another by now, is left. */
export const setAside = async (
  folders: Folders,
  reference: string,
  quarantineReason: string | null,
): Promise<void> => {
  const { fileSystem, at } = folders;
  const name = reference.slice(0, reference.lastIndexOf('@'));
  if (name === '' || /[/\\]/.test(name)) return;
  if (!(await isStillThere(folders, name, reference))) return;
  const folder = quarantineReason === null ? 'processed' : 'quarantine';
  const target = await freeName(folders, folder, name, reference);
  if (quarantineReason !== null) await writeReason(folders, target, quarantineReason);
  await moveAway(folders, at('incoming', name), at(folder, target));
  await fileSystem.flushFolder(at(folder));
};

const isStillThere = async (
  { fileSystem, at }: Folders,
  name: string,
  reference: string,
): Promise<boolean> => {
  if (marksWithoutContent.some((mark) => reference.endsWith(`@${mark}`))) return true;
  try {
    return referenceOf(name, await fileSystem.read(at('incoming', name))) === reference;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
};

/** A file quarantined before under the same name is kept. */
const freeName = async (
  { fileSystem, at }: Folders,
  folder: 'processed' | 'quarantine',
  name: string,
  reference: string,
): Promise<string> => {
  const taken = new Set(await fileSystem.list(at(folder)));
  if (!taken.has(name)) return name;
  const marked = `${name}.${reference.slice(reference.lastIndexOf('@') + 1)}`;
  let candidate = marked;
  for (let count = 2; taken.has(candidate); count += 1) candidate = `${marked}.${count}`;
  return candidate;
};

// Before the move: a file in quarantine always has its reason beside it.
const writeReason = async ({ fileSystem, at }: Folders, target: string, reason: string) => {
  try {
    await fileSystem.writeNew(at('quarantine', `${target}.reason.txt`), `${reason}\n`);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
};

const moveAway = async ({ fileSystem }: Folders, from: string, to: string) => {
  try {
    await fileSystem.rename(from, to);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
};
