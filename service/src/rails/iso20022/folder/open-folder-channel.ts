import type { SubmitOutcome } from '#rails/transfer-rail.ts';
import type { Channel, OutgoingMessage } from '../channel.ts';
import { type Folders, folderNames } from './folders.ts';
import { readIncoming } from './read-incoming.ts';
import { setAside } from './set-aside.ts';
import { writeOnce } from './write-once.ts';

const unavailable = (error: unknown) => ({
  kind: 'UNAVAILABLE' as const,
  description: `The bank folder: ${codeOf(error)}.`,
});

/** Files exchanged through a folder. Every step may be repeated: that is how a crash is mended. */
export const openFolderChannel = (folders: Folders): Channel => {
  const ready = async (): Promise<void> => {
    for (const name of folderNames) await folders.fileSystem.makeFolder(folders.at(name));
  };
  const send = async ({ messageId, text }: OutgoingMessage): Promise<SubmitOutcome> => {
    try {
      await ready();
      await writeOnce(folders, folders.files.name.replace('{messageId}', messageId), text);
      return { kind: 'SUBMITTED' };
    } catch (error) {
      return { kind: 'UNKNOWN', description: `The bank folder: ${codeOf(error)}.` };
    }
  };
  return {
    send,
    sendUnlessThere: send,
    list: async (limit) => {
      try {
        await ready();
        return { kind: 'DELIVERIES', deliveries: await readIncoming(folders, limit) };
      } catch (error) {
        return unavailable(error);
      }
    },
    acknowledge: async (reference, quarantineReason) => {
      try {
        await setAside(folders, reference, quarantineReason);
        return { kind: 'ACKNOWLEDGED' };
      } catch (error) {
        return unavailable(error);
      }
    },
  };
};

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error as Error).message;
