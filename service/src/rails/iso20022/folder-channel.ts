import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Ids } from '#platform/clock.ts';
import type { OwnFolder, SubmitOutcome } from '#rails/transfer-rail.ts';
import type { Channel, Delivery, FileTemplate, OutgoingMessage } from './channel.ts';
import type { FileSystem } from './file-system.ts';
import { readMessage } from './messages/read-message.ts';
import { requireOwnFolder } from './own-folder.ts';
import { decodeXml } from './xml.ts';

type Folders = {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly files: FileTemplate;
  readonly settleMs: number;
  readonly at: (folder: FolderName, name?: string) => string;
  readonly root: string;
  readonly own: OwnFolder;
};

const folderNames = [
  'outgoing',
  'incoming',
  'processed',
  'quarantine',
  'prepared',
  'sent',
] as const;

type FolderName = (typeof folderNames)[number];

export const pathsUnder =
  (root: string, files: FileTemplate): Folders['at'] =>
  (folder, name) =>
    name === undefined ? join(root, files[folder]) : join(root, files[folder], name);

const maxFileBytes = 50_000_000;

/** The files that wait in the incoming folder, by name; a file that is still being written waits. */
const readIncoming = async (folders: Folders, limit: number): Promise<readonly Delivery[]> => {
  const { fileSystem, at, files } = folders;
  const names = (await fileSystem.list(at('incoming')))
    .filter((name) => !name.startsWith('.'))
    .filter((name) => files.incomingSuffixes.some((suffix) => name.endsWith(suffix)))
    .sort();
  const deliveries: Delivery[] = [];
  for (const name of names) {
    if (deliveries.length === limit) break;
    const delivery = await orIf(['ENOENT'], readOne(folders, name), null);
    if (delivery) deliveries.push(delivery);
  }
  return deliveries;
};

const readOne = async (folders: Folders, name: string): Promise<Delivery | null> => {
  const { fileSystem, at, clock, settleMs } = folders;
  const { bytes, changedAt, isFile } = await fileSystem.describe(at('incoming', name));
  if (!isFile) return null;
  const isSettled = clock.now().getTime() - changedAt.getTime() >= settleMs;
  if (bytes > maxFileBytes) return isSettled ? tooLong(name, bytes) : null;
  const delivery = await readContent(folders, name);
  const isReadable = delivery.problem === null && readMessage(delivery.text).kind !== 'UNREADABLE';
  return isReadable || isSettled ? delivery : null;
};

/** The disk refuses this file: that of another may be read. */
const refusals = ['EACCES', 'EPERM', 'EIO'] as const;

const readContent = async ({ fileSystem, at }: Folders, name: string): Promise<Delivery> => {
  try {
    return deliveryOf(name, await fileSystem.read(at('incoming', name)));
  } catch (error) {
    const refusal = refusals.find((code) => code === (error as NodeJS.ErrnoException).code);
    if (!refusal) throw error;
    const problem = `The disk refuses the file: ${refusal}.`;
    return { reference: `${name}@${refusedMark}`, text: '', problem };
  }
};

const deliveryOf = (name: string, content: Buffer): Delivery => ({
  reference: referenceOf(name, content),
  ...decodeXml(content),
});

const tooLong = (name: string, bytes: number): Delivery => ({
  reference: `${name}@${tooLongMark}`,
  text: '',
  problem: `The file is too long: ${bytes} bytes.`,
});

const tooLongMark = 'too-long';
const refusedMark = 'refused';

/** Of files whose content was not read: nothing says which one it was. */
const marksWithoutContent = [tooLongMark, refusedMark] as const;

/** The name and what is in it, so that another file under the same name is another delivery. */
const referenceOf = (name: string, content: Buffer): string =>
  `${name}@${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;

/** Moves a file out of the incoming folder. One that has gone, or is another by now, is left. */
const setAside = async (
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
  await orIf(['ENOENT'], fileSystem.rename(at('incoming', name), at(folder, target)), undefined);
  await fileSystem.flushFolder(at(folder));
};

const isStillThere = async (
  { fileSystem, at }: Folders,
  name: string,
  reference: string,
): Promise<boolean> => {
  if (marksWithoutContent.some((mark) => reference.endsWith(`@${mark}`))) return true;
  const content = await orIf(['ENOENT'], fileSystem.read(at('incoming', name)), null);
  return content !== null && referenceOf(name, content) === reference;
};

/** What was moved to the processed files since then waits again; a file of the same name goes first. */
const reopen = async ({ fileSystem, at }: Folders, since: Date): Promise<number> => {
  const waiting = new Set(await fileSystem.list(at('incoming')));
  let reopened = 0;
  for (const name of await fileSystem.list(at('processed'))) {
    const { isFile, movedAt } = await fileSystem.describe(at('processed', name));
    if (!isFile || movedAt < since || waiting.has(name)) continue;
    await fileSystem.rename(at('processed', name), at('incoming', name));
    reopened += 1;
  }
  await fileSystem.flushFolder(at('incoming'));
  return reopened;
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
const writeReason = ({ fileSystem, at }: Folders, target: string, reason: string) => {
  const path = at('quarantine', `${target}.reason.txt`);
  return orIf(['EEXIST'], fileSystem.writeNew(path, `${reason}\n`), undefined);
};

/**
 * Puts a file into the outgoing folder whole, and never a second time, also when the bank has taken
 * it away, when we crash between any two steps, and when two processes do it at once.  `sent/NAME`
 * is the claim: the hard link can be created only once. The one prepared file that it points to is
 * then renamed into the outgoing folder. So: a claim with its prepared file is not yet handed over,
 * a claim without one is. The database knows of it in between: a folder as it was before the claim hands
 * nothing over again.
 */
const handOver = async (folders: Folders, name: string, text: string): Promise<void> => {
  const folderId = await ready(folders);
  await claimOnce(folders, name, text);
  await folders.own.note(folderId, name);
  await publish(folders, name);
};

const claimOnce = async (folders: Folders, name: string, text: string): Promise<void> => {
  const { fileSystem, at, ids } = folders;
  if (!(await isClaimed(folders, name))) {
    const prepared = at('prepared', `${name}.${ids.token(60)}`);
    await fileSystem.writeNew(prepared, text);
    await fileSystem.flushFolder(at('prepared'));
    // Another process has the claim, and may have removed our draft by now.
    await orIf(['EEXIST', 'ENOENT'], fileSystem.link(prepared, at('sent', name)), undefined);
  }
  // The claim must survive a crash before its file can be taken away.
  await fileSystem.flushFolder(at('sent'));
};

const isClaimed = async ({ fileSystem, at }: Folders, name: string): Promise<boolean> =>
  (await orIf(['ENOENT'], fileSystem.describe(at('sent', name)), null)) !== null;

const publish = async (folders: Folders, name: string): Promise<void> => {
  const { fileSystem, at } = folders;
  const claimed = await fileSystem.describe(at('sent', name));
  const drafts = (await fileSystem.list(at('prepared'))).filter((one) =>
    one.startsWith(`${name}.`),
  );
  // Another process may finish one at the same moment.
  for (const draft of drafts)
    await orIf(['ENOENT'], finish(folders, name, draft, claimed.inode), undefined);
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
  const { inode } = await fileSystem.describe(path);
  if (inode === claimedInode) await fileSystem.rename(path, at('outgoing', name));
  else await fileSystem.remove(path);
};

/** What the disk answers, or this where it fails by one of these codes. */
const orIf = async <Value, Other>(
  codes: readonly string[],
  answer: Promise<Value>,
  otherwise: Other,
): Promise<Value | Other> => {
  try {
    return await answer;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise;
    throw error;
  }
};

const unavailable = (error: unknown) => ({
  kind: 'UNAVAILABLE' as const,
  description: `The bank folder: ${codeOf(error)}.`,
});

const ready = async (folders: Folders): Promise<string> => {
  await folders.fileSystem.makeFolder(folders.root);
  for (const name of folderNames) await folders.fileSystem.makeFolder(folders.at(name));
  return requireOwnFolder({ ...folders, wasSent: (file) => isClaimed(folders, file) });
};

/** Files exchanged through a folder. Every step may be repeated: that is how a crash is mended. */
export const openFolderChannel = (folders: Folders): Channel => {
  const send = async ({ messageId, text }: OutgoingMessage): Promise<SubmitOutcome> => {
    try {
      await handOver(folders, folders.files.name.replace('{messageId}', messageId), text);
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
        await ready(folders);
        return { kind: 'DELIVERIES', deliveries: await readIncoming(folders, limit) };
      } catch (error) {
        return unavailable(error);
      }
    },
    reopen: async (since) => {
      try {
        await ready(folders);
        return { kind: 'REOPENED', messages: await reopen(folders, since) };
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
