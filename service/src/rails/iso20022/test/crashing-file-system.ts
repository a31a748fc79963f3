import { diskFileSystem, type FileSystem } from '../file-system.ts';

/** The real disk, up to the given call, which no longer happens or, on request, just did. */
export const crashingFileSystem = (
  atCall: number,
  when: 'BEFORE' | 'AFTER',
): { readonly fileSystem: FileSystem; readonly calls: () => number } => {
  let calls = 0;
  const crashing =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      calls += 1;
      if (calls > atCall || (calls === atCall && when === 'BEFORE')) throw new Crash('killed');
      const result = await call(...given);
      if (calls === atCall) throw new Crash('killed');
      return result;
    };
  const { makeFolder, writeNew, flushFolder, link, rename, remove, list, read, describe } =
    diskFileSystem;
  return {
    calls: () => calls,
    fileSystem: {
      makeFolder: crashing(makeFolder),
      writeNew: crashing(writeNew),
      flushFolder: crashing(flushFolder),
      link: crashing(link),
      rename: crashing(rename),
      remove: crashing(remove),
      list: crashing(list),
      read: crashing(read),
      describe: crashing(describe),
    },
  };
};

class Crash extends Error {}
