import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';

/** The calls that the folder channel makes, so that a test can stop it between any two of them. */
export type FileSystem = Readonly<typeof diskFileSystem>;

export const diskFileSystem = {
  makeFolder: async (path: string): Promise<void> => {
    await mkdir(path, { recursive: true });
  },
  /** Writes a new file and forces it to the disk. */
  writeNew: async (path: string, text: string): Promise<void> => {
    const file = await open(path, 'wx', 0o640);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  /** Forces a folder's entries to the disk. */
  flushFolder: async (path: string): Promise<void> => {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  link: (from: string, to: string): Promise<void> => link(from, to),
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  remove: (path: string): Promise<void> => unlink(path),
  list: (path: string): Promise<readonly string[]> => readdir(path),
  read: (path: string): Promise<Buffer> => readFile(path),
  describe: async (path: string) => {
    const facts = await stat(path, { bigint: true });
    return {
      inode: facts.ino,
      bytes: Number(facts.size),
      changedAt: facts.mtime,
      /** Into its folder, too. */
      movedAt: facts.ctime,
      isFile: facts.isFile(),
    };
  },
};
