import { isCode } from './file-system.ts';
import type { Folders } from './folders.ts';

/**
 * Puts a file into the outgoing folder whole, and never a second time, also when the bank has taken
 * it away, when we crash between any two steps, and when two processes do it at once.  `sent/NAME`
 * is the claim: the hard link can be created only once. The one prepared file that it points to is
 * then renamed into the outgoing folder. So: a claim with its prepared file is not yet handed over,
 * a claim without one is.
 */
export const writeOnce = async (folders: Folders, name: string, text: string): Promise<void> => {
  const { fileSystem, at, ids } = folders;
  if (!(await isClaimed(folders, name))) {
    const prepared = at('prepared', `${name}.${ids.token(60)}`);
    await fileSystem.writeNew(prepared, text);
    await fileSystem.flushFolder(at('prepared'));
    await claim(folders, name, prepared);
  }
  // The claim must survive a crash before its file can be taken away.
  await fileSystem.flushFolder(at('sent'));
  await publish(folders, name);
};

const isClaimed = async ({ fileSystem, at }: Folders, name: string): Promise<boolean> => {
  try {
    await fileSystem.describe(at('sent', name));
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
};

const claim = async ({ fileSystem, at }: Folders, name: string, prepared: string) => {
  try {
    await fileSystem.link(prepared, at('sent', name));
  } catch (error) {
    // Another process has the claim, and may have removed our draft by now.
    if (!isCode(error, 'EEXIST') && !isCode(error, 'ENOENT')) throw error;
  }
};

const publish = async (folders: Folders, name: string): Promise<void> => {
  const { fileSystem, at } = folders;
  const claimed = await fileSystem.describe(at('sent', name));
  const drafts = (await fileSystem.list(at('prepared'))).filter((one) =>
    one.startsWith(`${name}.`),
  );
  for (const draft of drafts) await finish(folders, name, draft, claimed.inode);
  await fileSystem.flushFolder(at('outgoing'));
};

/** The claimed draft is handed over; drafts of an earlier crash are removed. */
const finish = async (
  { fileSystem, at }: Folders,
  name: string,
  draft: string,
  claimedInode: bigint,
): Promise<void> => {
  const path = at('prepared', draft);
  try {
    const { inode } = await fileSystem.describe(path);
    if (inode === claimedInode) await fileSystem.rename(path, at('outgoing', name));
    else await fileSystem.remove(path);
  } catch (error) {
    // Another process finished it at the same moment.
    if (!isCode(error, 'ENOENT')) throw error;
  }
};
