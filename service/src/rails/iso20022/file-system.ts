import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';

/** The calls that the folder channel makes, so that a test can stop it between any two of them. */
export type FileSystem = {
  readonly makeFolder: (path: string) => Promise<void>;
  /** Writes a new file and forces it to the disk. */
  readonly writeNew: (path: string, text: string) => Promise<void>;
  /** Forces a folder's entries to the disk. */
  readonly flushFolder: (path: string) => Promise<void>;
  readonly link: (from: string, to: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly list: (path: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<Buffer>;
  readonly describe: (path: string) => Promise<FileFacts>;
};

type FileFacts = {
  readonly inode: bigint;
  readonly bytes: number;
  readonly changedAt: Date;
  readonly isFile: boolean;
};

export const diskFileSystem: FileSystem = {
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true });
  },
  writeNew: async (path, text) => {
    const file = await open(path, 'wx', 0o640);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  flushFolder: async (path) => {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  link,
  rename,
  remove: unlink,
  list: readdir,
  read: (path) => readFile(path),
  describe: async (path) => {
    const facts = await stat(path, { bigint: true });
    return {
      inode: facts.ino,
      bytes: Number(facts.size),
      changedAt: facts.mtime,
      isFile: facts.isFile(),
    };
  },
};

export const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;
